import { toast } from 'sonner'
import type { ProviderKey } from '#vault/contract'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { MomentText } from '../../ui/moment-text.tsx'
import { useActOnKey } from './provider-queries.ts'

export interface KeyDialogProps {
  apiKey: ProviderKey
  groupId: string
  providerName: string
  onClose: () => void
}

export function DeleteKeyDialog({
  apiKey,
  groupId,
  providerName,
  onClose,
  onDeleted,
}: KeyDialogProps & { onDeleted?: () => void }) {
  const remove = useActOnKey(groupId)
  const onSuccess = () => {
    toast.success(`Key “${apiKey.name}” deleted`, { description: `It is still valid at ${providerName}.` })
    onClose()
    onDeleted?.()
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete key “${apiKey.name}”?`}
      action="Delete key"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ id: apiKey.id, action: 'delete' }, { onSuccess })}
    >
      <p>
        It is deleted from Signalbox; this can’t be undone. It stays valid at {providerName}: if it leaked,
        revoke it there too.
      </p>
      {apiKey.is_default && (
        <p>This is the default key. Requests will use the oldest other active key, or fail without one.</p>
      )}
      {apiKey.last_used_at !== null && (
        <p className="font-medium text-ink">
          It was last used <MomentText time={apiKey.last_used_at} />.
        </p>
      )}
    </ConfirmDialog>
  )
}
