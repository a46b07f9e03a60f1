import type { Provider } from '#vault/contract'
import { Dialog } from '../../ui/dialog.tsx'
import { AddKeyForm } from './add-key-form.tsx'
import { patternsInWords } from './prefixes.ts'

interface AddKeyDialogProps {
  groupId: string
  providers: Provider[]
  /** Absent if the provider is recognised from the key. */
  providerId?: string | undefined
  accountId?: string | undefined
  onClose: () => void
}

export function AddKeyDialog({ groupId, providers, providerId, accountId, onClose }: AddKeyDialogProps) {
  // The address may also name a provider by its `spec_name`.
  const provider = providers.find(({ id, spec_name }) => id === providerId || spec_name === providerId)
  return (
    <Dialog
      open
      onClose={onClose}
      title={provider ? `Add ${provider.name} key` : 'Add provider key'}
      description={
        provider
          ? `Gives the group access to models named ${patternsInWords(provider.prefixes)}.`
          : 'Paste the key. Most providers are recognised automatically.'
      }
    >
      <AddKeyForm
        groupId={groupId}
        providers={providers}
        provider={provider}
        accountId={accountId}
        onDone={onClose}
        onCancel={onClose}
      />
    </Dialog>
  )
}
