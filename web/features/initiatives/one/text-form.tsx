import { useState } from 'react'
import { Field } from '../../../ui/field.tsx'
import { errorOf } from '../../../ui/form-dialog.tsx'
import { Textarea } from '../../../ui/input.tsx'
import { useInitiativeChange } from '../initiative-queries.ts'
import { InPlaceForm } from './in-place-form.tsx'
import type { Place } from './place.ts'

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
      <Field label="Text" error={errorOf(error, 'text')}>
        {(ids) => (
          <Textarea
            {...ids}
            required
            autoFocus
            maxLength={maxLength}
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
          />
        )}
      </Field>
    </InPlaceForm>
  )
}
