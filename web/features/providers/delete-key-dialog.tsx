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

export function DeleteKeyDialog({ apiKey, groupId, providerName, onClose }: KeyDialogProps) {
  const remove = useActOnKey(groupId)
  const onSuccess = () => {
    toast.success(`“${apiKey.name}” is deleted`, { description: `At ${providerName} it is still valid.` })
    onClose()
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete “${apiKey.name}”?`}
      action="Delete key"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ id: apiKey.id, action: 'delete' }, { onSuccess })}
    >
      <p>
        It is erased here and cannot be brought back. {providerName} still honours it: if it leaked, revoke it
        there too.
      </p>
      {apiKey.is_default && (
        <p>It is the default. Calls will go out with the oldest other key that is on, or be refused.</p>
      )}
      {apiKey.last_used_at !== null && (
        <p className="font-medium text-ink">
          It was last used <MomentText time={apiKey.last_used_at} />.
        </p>
      )}
    </ConfirmDialog>
  )
}
