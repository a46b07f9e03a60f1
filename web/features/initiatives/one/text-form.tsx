import { useState } from 'react'
import { errorOf } from '../../../ui/form-dialog.tsx'
import { useInitiativeChange } from '../initiative-queries.ts'
import { InPlaceForm } from './in-place-form.tsx'
import type { Place } from './place.ts'
import { TextareaField } from '../../../ui/text-field.tsx'

interface TextFormProps {
  place: Place
  label: string
  save: (path: { id: string; detail: string }, text: string) => Promise<unknown>
  /** The ID of what is edited. */
  detail: string
  text: string
  maxLength: number
  onClose: () => void
}

/** Changes one text where it is. */
export function TextForm({ place, label, save, detail, text, maxLength, onClose }: TextFormProps) {
  const [draft, setDraft] = useState(text)
  const { mutate, isPending, error } = useInitiativeChange(place.groupId)
  return (
    <InPlaceForm
      label={label}
      action="Save"
      busy={isPending}
      error={error}
      onSubmit={() =>
        mutate(() => save({ id: place.initiative.id, detail }, draft.trim()), { onSuccess: onClose })
      }
      onCancel={onClose}
    >
      <TextareaField
        label="Text"
        error={errorOf(error, 'text')}
        required
        autoFocus
        maxLength={maxLength}
        value={draft}
        onChange={setDraft}
      />
    </InPlaceForm>
  )
}
