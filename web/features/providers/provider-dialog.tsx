import { useState, type FormEvent } from 'react'
import { toast } from 'sonner'
import type { Provider } from '#vault/contract'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { splitFieldErrors } from '../../api/field-errors.ts'
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
  /** Absent for a new provider. */
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
    // An error disappears when its field changes; the id follows the name.
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
        if (provider) toast.success(`${draft.name.trim()} updated`)
        else
          toast.success(`${draft.name.trim()} added`, {
            description: 'Add a key to use its models.',
          })
        onClose()
      },
      onError: (error) => {
        const failure = splitFieldErrors(error, fields)
        setProblems(failure.problems)
        setRest(failure.rest)
      },
    })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={provider ? `Edit ${provider.name}` : 'Add custom provider'}
      description="Any server with an OpenAI-compatible Chat Completions API: your own model server or another vendor."
    >
      <form onSubmit={submit} noValidate className="flex min-h-0 flex-1 flex-col">
        <DialogBody>
          <ProviderFields draft={draft} problems={problems} onChange={change} isNew={!provider} />
          {rest !== null && <FailureNotice error={rest} />}
        </DialogBody>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={save.isPending}>
            {provider ? 'Save changes' : 'Add provider'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
