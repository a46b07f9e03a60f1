import { useState } from 'react'
import type { Decision } from '#initiatives/contract'
import { errorOf, FormDialog, useForm } from '../../../ui/form-dialog.tsx'
import { TextField, TextareaField } from '../../../ui/text-field.tsx'
import { call } from '../../../api/client.ts'
import { initiativesKey } from '../initiative-queries.ts'
import type { Place } from './place.ts'

interface DecisionDialogProps {
  place: Place
  /** The one that the new decision replaces. */
  supersedes?: Decision
  onClose: () => void
}

const longFields = [
  { name: 'context', label: 'Context', hint: 'Why this has to be decided.', required: false },
  { name: 'options', label: 'Options', hint: 'One per line.', required: false },
  { name: 'decision', label: 'Decision', hint: 'What we do.', required: true },
  { name: 'rationale', label: 'Rationale', hint: 'Why this option.', required: false },
  { name: 'consequences', label: 'Consequences', hint: 'What becomes easier, and harder.', required: false },
] as const

export function DecisionDialog({ place, supersedes, onClose }: DecisionDialogProps) {
  const [draft, setDraft] = useState({
    title: supersedes?.title ?? '',
    context: '',
    options: '',
    decision: '',
    rationale: '',
    consequences: '',
  })
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const body = {
    ...draft,
    title: draft.title.trim(),
    decision: draft.decision.trim(),
    options: draft.options.split('\n').flatMap((option) => option.trim() || []),
    ...(supersedes && { supersedes: supersedes.id }),
  }
  const form = useForm(initiativesKey(place.groupId), 'Decision recorded', onClose, () =>
    call('POST', '/api/initiatives/{id}/decisions', { path: { id: place.initiative.id }, body }),
  )
  const { error } = form
  return (
    <FormDialog
      title={supersedes ? 'Supersede decision' : 'Record decision'}
      description={
        supersedes
          ? `The new decision replaces “${supersedes.title}”, which stays readable.`
          : 'It cannot be changed afterwards; a new decision can supersede it.'
      }
      action="Record decision"
      wide
      {...form}
    >
      <TextField
        label="Title"
        required
        autoFocus
        maxLength={300}
        error={errorOf(error, 'title')}
        value={draft.title}
        onChange={(title) => change({ title })}
      />
      {longFields.map(({ name, label, hint, required }) => (
        <TextareaField
          key={name}
          label={label}
          hint={hint}
          error={errorOf(error, name)}
          rows={2}
          required={required}
          maxLength={20_000}
          className="max-h-60"
          value={draft[name]}
          onChange={(text) => change({ [name]: text })}
        />
      ))}
    </FormDialog>
  )
}
