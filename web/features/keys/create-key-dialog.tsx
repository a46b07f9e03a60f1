import type { NewApiKey } from '#access/contract'
import { useMe } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'
import { bodyOf, newDraft } from './key-draft.ts'
import { KeyForm } from './key-form.tsx'
import { useCreateKey } from './key-queries.ts'

interface CreateKeyDialogProps {
  groupId: string
  groupName: string
  open: boolean
  onClose: () => void
}

/** First the form, then the value, which is shown once. */
export function CreateKeyDialog({ groupId, groupName, open, onClose }: CreateKeyDialogProps) {
  const { scopes } = useMe()
  const create = useCreateKey(groupId)
  const close = () => {
    onClose()
    create.reset()
  }
  if (create.data)
    return (
      <NewKeyDialog
        apiKey={create.data}
        title={`Key “${create.data.name}” created`}
        open={open}
        onClose={close}
      />
    )
  return (
    <Dialog open={open} onClose={close} title="Create key" description={`For the group ${groupName}.`}>
      <KeyForm
        groupId={groupId}
        start={newDraft(scopes)}
        allowed={scopes}
        action="Create key"
        busy={create.isPending}
        error={create.error}
        onSubmit={(draft) => create.mutate(bodyOf(draft, Date.now()))}
        onCancel={close}
      />
    </Dialog>
  )
}

interface NewKeyDialogProps {
  apiKey: NewApiKey
  title: string
  open: boolean
  onClose: () => void
}

export function NewKeyDialog({ apiKey, title, open, onClose }: NewKeyDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title} sticky>
      <DialogBody>
        <SecretOnce
          value={apiKey.key}
          what="key"
          warning="Only a hash is stored. If you lose the key, revoke it and create a new one."
        />
      </DialogBody>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  )
}
