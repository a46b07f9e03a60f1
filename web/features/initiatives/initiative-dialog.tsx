import { useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { toast } from 'sonner'
import type { Initiative } from '#initiatives/contract'
import { errorOf, FormDialog } from '../../ui/form-dialog.tsx'
import { MarkdownField } from '../../ui/markdown-field.tsx'
import { ChoiceField, TextField } from '../../ui/text-field.tsx'
import { call } from '../../api/client.ts'
import { useCreateInitiative, useInitiativeChange } from './initiative-queries.ts'
import { statusChoices } from './initiative-words.ts'

interface InitiativeDialogProps {
  groupId: string
  /** Undefined: a new one. */
  initiative?: Initiative
  onClose: () => void
}

export function InitiativeDialog({ groupId, initiative, onClose }: InitiativeDialogProps) {
  const isNew = initiative === undefined
  const navigate = useNavigate()
  const [draft, setDraft] = useState({
    title: initiative?.title ?? '',
    description: initiative?.description ?? '',
    status: initiative?.status ?? ('active' as const),
    owner: initiative?.owner ?? '',
  })
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const create = useCreateInitiative(groupId)
  const update = useInitiativeChange(groupId)
  const { error, isPending } = isNew ? create : update
  const body = { ...draft, title: draft.title.trim(), owner: draft.owner.trim() || null }
  const submit = () => {
    if (isNew)
      create.mutate(body, {
        onSuccess: ({ slug }) => {
          toast.success('Initiative created')
          void navigate({ to: '/initiatives/$id', params: { id: slug } })
        },
      })
    else
      update.mutate(() => call('PATCH', '/api/initiatives/{id}', { path: { id: initiative.id }, body }), {
        onSuccess: () => {
          toast.success('Initiative updated')
          onClose()
        },
      })
  }
  return (
    <FormDialog
      title={isNew ? 'Create initiative' : 'Edit initiative'}
      action={isNew ? 'Create initiative' : 'Save changes'}
      wide
      busy={isPending}
      error={error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Title"
        required
        autoFocus
        maxLength={300}
        hint="The result, in a few words."
        error={errorOf(error, 'title')}
        value={draft.title}
        onChange={(title) => change({ title })}
      />
      <MarkdownField
        label="Description"
        value={draft.description}
        error={errorOf(error, 'description')}
        onChange={(description) => change({ description })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <ChoiceField
          label="Status"
          value={draft.status}
          choices={statusChoices}
          onChange={(status) => change({ status })}
        />
        <TextField
          label="Owner"
          maxLength={200}
          hint="Who decides."
          error={errorOf(error, 'owner')}
          value={draft.owner}
          onChange={(owner) => change({ owner })}
        />
      </div>
    </FormDialog>
  )
}
