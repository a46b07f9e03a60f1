import { useState } from 'react'
import { Plus } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { errorOf } from '../../../ui/form-dialog.tsx'
import { Card } from '../../../ui/page.tsx'
import { CheckField, TextField } from '../../../ui/text-field.tsx'
import { call } from '../../../api/client.ts'
import { useInitiativeChange } from '../initiative-queries.ts'
import { ConfidenceField } from './confidence-form.tsx'
import { CriterionItem } from './criterion-item.tsx'
import { InPlaceForm } from './in-place-form.tsx'
import type { Place } from './place.ts'

export function CriteriaCard({ place }: { place: Place }) {
  const [isAdding, setIsAdding] = useState(false)
  const { criteria } = place.initiative
  return (
    <Card
      title="Criteria"
      description="When it has succeeded, and how sure we are to get there."
      action={
        place.mayChange && (
          <Button size="small" icon={Plus} onClick={() => setIsAdding(true)}>
            Add criterion
          </Button>
        )
      }
    >
      <div className="space-y-4">
        {criteria.length === 0 && !isAdding && (
          <p className="text-sm text-ink-faint">
            No criteria yet. A criterion is a result that can be checked, such as “p95 of the checkout is
            below 300 ms”.
          </p>
        )}
        <ul className="divide-y divide-line">
          {criteria.map((criterion) => (
            <CriterionItem key={criterion.id} place={place} criterion={criterion} />
          ))}
        </ul>
        {isAdding && <CriterionForm place={place} onClose={() => setIsAdding(false)} />}
      </div>
    </Card>
  )
}

function CriterionForm({ place, onClose }: { place: Place; onClose: () => void }) {
  const [text, setText] = useState('')
  const [confidence, setConfidence] = useState<number | undefined>()
  const [reason, setReason] = useState('')
  const { mutate, isPending, error } = useInitiativeChange(place.groupId)
  const body = {
    text: text.trim(),
    ...(confidence !== undefined && { confidence }),
    ...(confidence !== undefined && reason.trim() !== '' && { reason: reason.trim() }),
  }
  return (
    <InPlaceForm
      label="Add criterion"
      action="Add criterion"
      busy={isPending}
      error={error}
      onSubmit={() =>
        mutate(
          () => call('POST', '/api/initiatives/{id}/criteria', { path: { id: place.initiative.id }, body }),
          { onSuccess: onClose },
        )
      }
      onCancel={onClose}
    >
      <TextField
        label="Criterion"
        required
        autoFocus
        maxLength={1000}
        error={errorOf(error, 'text')}
        value={text}
        onChange={setText}
      />
      <CheckField
        label="With a first estimate"
        checked={confidence !== undefined}
        onChange={(checked) => setConfidence(checked ? 50 : undefined)}
      />
      {confidence !== undefined && (
        <>
          <ConfidenceField value={confidence} onChange={setConfidence} />
          <TextField
            label="Reason"
            maxLength={4000}
            error={errorOf(error, 'reason')}
            value={reason}
            onChange={setReason}
          />
        </>
      )}
    </InPlaceForm>
  )
}
