import { useState, type FormEvent } from 'react'
import { toast } from 'sonner'
import type { Provider } from '#vault/contract'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { splitRefusal } from './field-refusal.ts'
import { ProviderFields } from './provider-fields.tsx'
import {
  bodyOf,
  draftOf,
  emptyDraft,
  problemsOf,
  type ProviderDraft,
  type ProviderProblems,
} from './provider-draft.ts'
import { useSaveProvider } from './provider-queries.ts'

const fields = Object.keys(emptyDraft) as (keyof ProviderDraft)[]

interface ProviderDialogProps {
  groupId: string
  /** The one to change; absent to add one. */
  provider?: Provider
  onClose: () => void
}

export function ProviderDialog({ groupId, provider, onClose }: ProviderDialogProps) {
  const save = useSaveProvider(groupId, provider?.id)
  const [draft, setDraft] = useState(() => (provider ? draftOf(provider) : emptyDraft))
  const [problems, setProblems] = useState<ProviderProblems>({})
  const [rest, setRest] = useState<unknown>(null)
  const change = (part: Partial<ProviderDraft>) => {
    setDraft({ ...draft, ...part })
    // A problem disappears as soon as its field is touched; the id follows the name.
    const touched = 'name' in part ? { ...part, id: '' } : part
    setProblems(Object.fromEntries(Object.entries(problems).filter(([field]) => !(field in touched))))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = problemsOf(draft)
    setProblems(found)
    setRest(null)
    if (Object.keys(found).length > 0) return
    save.mutate(bodyOf(draft), {
      onSuccess: () => {
        if (provider) toast.success(`${draft.name.trim()} is changed`)
        else
          toast.success(`${draft.name.trim()} is added`, {
            description: 'Add a key, and its models can be called.',
          })
        onClose()
      },
      onError: (error) => {
        const refusal = splitRefusal(error, fields)
        setProblems(refusal.problems)
        setRest(refusal.rest)
      },
    })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={provider ? `Change ${provider.name}` : 'Add own provider'}
      description="Any server that speaks OpenAI’s chat completions: a model server of your own, or another vendor."
    >
      <form onSubmit={submit} noValidate className="flex min-h-0 flex-1 flex-col">
        <DialogBody>
          <ProviderFields draft={draft} problems={problems} onChange={change} isNew={!provider} />
          {rest !== null && <FailureNotice error={rest} />}
        </DialogBody>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={save.isPending}>
            {provider ? 'Save' : 'Add provider'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
