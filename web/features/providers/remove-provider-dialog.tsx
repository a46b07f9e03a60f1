import { toast } from 'sonner'
import type { Provider } from '#vault/contract'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { patternsInWords } from './prefixes.ts'
import { useRemoveProvider } from './provider-queries.ts'

interface RemoveProviderDialogProps {
  groupId: string
  provider: Provider
  onClose: () => void
}

export function RemoveProviderDialog({ groupId, provider, onClose }: RemoveProviderDialogProps) {
  const remove = useRemoveProvider(groupId)
  const onSuccess = () => {
    toast.success(`${provider.name} removed`)
    onClose()
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Remove ${provider.name}?`}
      action="Remove provider"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(provider.id, { onSuccess })}
    >
      <p>
        Requests to models named {patternsInWords(provider.prefixes)} fail from now on, and its keys are
        deleted. Its past requests stay in the logs.
      </p>
    </ConfirmDialog>
  )
}
