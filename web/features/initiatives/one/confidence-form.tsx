import { useState } from 'react'
import { toast } from 'sonner'
import type { Criterion } from '#initiatives/contract'
import { Field } from '../../../ui/field.tsx'
import { errorOf } from '../../../ui/form-dialog.tsx'
import { confidenceWord } from '../initiative-words.ts'
import { call } from '../../../api/client.ts'
import { useInitiativeChange } from '../initiative-queries.ts'
import { InPlaceForm } from './in-place-form.tsx'
import type { Place } from './place.ts'
import { TextareaField } from '../../../ui/text-field.tsx'

interface ConfidenceFormProps {
  place: Place
  criterion: Criterion
  onClose: () => void
}

/** A new confidence, with the reason that the history keeps. */
export function ConfidenceForm({ place, criterion, onClose }: ConfidenceFormProps) {
  const [confidence, setConfidence] = useState(criterion.confidence ?? 50)
  const [reason, setReason] = useState('')
  const { mutate, isPending, error } = useInitiativeChange(place.groupId)
  const onSuccess = () => {
    toast.success('Confidence saved')
    onClose()
  }
  const body = { confidence, reason: reason.trim() }
  return (
    <InPlaceForm
      label={`Confidence in “${criterion.text}”`}
      action="Save confidence"
      busy={isPending}
      error={error}
      onSubmit={() =>
        mutate(
          () =>
            call('PATCH', '/api/initiatives/{id}/criteria/{detail}', {
              path: { id: place.initiative.id, detail: criterion.id },
              body,
            }),
          { onSuccess },
        )
      }
      onCancel={onClose}
    >
      <ConfidenceField value={confidence} onChange={setConfidence} autoFocus />
      <TextareaField
        label="Reason"
        hint="What changed, or why it still holds."
        error={errorOf(error, 'reason')}
        required
        rows={2}
        maxLength={4000}
        value={reason}
        onChange={setReason}
      />
    </InPlaceForm>
  )
}

interface ConfidenceFieldProps {
  value: number
  onChange: (value: number) => void
  autoFocus?: boolean
}

/** From 0 to 100 in steps of 10. */
export function ConfidenceField({ value, onChange, autoFocus = false }: ConfidenceFieldProps) {
  return (
    <Field label={`Confidence: ${value}%, ${confidenceWord(value)}`}>
      {(ids) => (
        <input
          {...ids}
          type="range"
          min={0}
          max={100}
          step={10}
          autoFocus={autoFocus}
          value={value}
          aria-valuetext={`${value}%, ${confidenceWord(value)}`}
          onChange={(event) => onChange(event.target.valueAsNumber)}
          className="w-full max-w-sm accent-(--focus)"
        />
      )}
    </Field>
  )
}
