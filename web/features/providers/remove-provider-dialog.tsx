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
    toast.success(`${provider.name} is removed`)
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
        Calls to models named {patternsInWords(provider.prefixes)} are refused from then on, and its keys here
        are erased. What went through stays in the register.
      </p>
    </ConfirmDialog>
  )
}
