import { toast } from 'sonner'
import type { ApiKey } from '#access/contract'
import { useMe } from '../../api/session.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { MomentText } from '../../ui/moment-text.tsx'
import { changesOf, draftOf } from './key-draft.ts'
import { KeyForm } from './key-form.tsx'
import { useChangeKey, useRevokeKey } from './key-queries.ts'

interface KeyDialogProps {
  apiKey: ApiKey
  onClose: () => void
}

export function EditKeyDialog({ apiKey, onClose }: KeyDialogProps) {
  const { scopes } = useMe()
  const change = useChangeKey(apiKey)
  const save = async (changes: ReturnType<typeof changesOf>) => {
    if (Object.keys(changes).length > 0) {
      await change.mutateAsync(changes)
      toast.success(`Key “${changes.name ?? apiKey.name}” updated`, {
        description: 'Its value is unchanged.',
      })
    }
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Edit “${apiKey.name}”`}
      description="The value of the key does not change."
    >
      <KeyForm
        groupId={apiKey.group_id}
        start={draftOf(apiKey)}
        allowed={scopes}
        action="Save changes"
        busy={change.isPending}
        error={change.error}
        // The form shows the error.
        onSubmit={(draft) => void save(changesOf(apiKey, draft, Date.now())).catch(() => undefined)}
        onCancel={onClose}
      />
    </Dialog>
  )
}

export function RevokeKeyDialog({ apiKey, onClose }: KeyDialogProps) {
  const revoke = useRevokeKey(apiKey)
  const onSuccess = () => {
    toast.success(`Key “${apiKey.name}” revoked`, {
      description: 'Requests with it are rejected from now on.',
    })
    onClose()
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Revoke “${apiKey.name}”?`}
      action="Revoke key"
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate(undefined, { onSuccess })}
    >
      <p>Requests with it are rejected immediately. This can’t be undone. Its requests stay in the logs.</p>
      {apiKey.last_used_at !== null && (
        <p className="font-medium text-ink">
          It was last used <MomentText time={apiKey.last_used_at} />.
        </p>
      )}
    </ConfirmDialog>
  )
}
