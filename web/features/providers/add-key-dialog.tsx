import type { Provider } from '#vault/contract'
import { Dialog } from '../../ui/dialog.tsx'
import { AddKeyForm } from './add-key-form.tsx'
import { patternsInWords } from './prefixes.ts'

interface AddKeyDialogProps {
  groupId: string
  providers: Provider[]
  /** Without one the key tells whose it is. */
  providerId?: string | undefined
  accountId?: string | undefined
  onClose: () => void
}

export function AddKeyDialog({ groupId, providers, providerId, accountId, onClose }: AddKeyDialogProps) {
  // The specification's own words for providers are good in an address too.
  const provider = providers.find(({ id, spec_name }) => id === providerId || spec_name === providerId)
  return (
    <Dialog
      open
      onClose={onClose}
      title={provider ? `Add a key of ${provider.name}` : 'Add a provider key'}
      description={
        provider
          ? `It opens the models named ${patternsInWords(provider.prefixes)} for the group.`
          : 'Paste it: most keys show whose they are.'
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
