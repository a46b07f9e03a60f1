import { useState } from 'react'
import type { Limit } from '#limits/contract'
import { call } from '../../api/client.ts'
import type { CurrentGroup } from '../../api/session.ts'
import { FormDialog, errorOf, useForm } from '../../ui/form-dialog.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { ChoiceField, TextField } from '../../ui/text-field.tsx'
import { bodyOf, changesOf, draftOf, missing, newDraft, type LimitDraft } from './limit-draft.ts'
import { metricNames, oftenText, subjectNames, windowNames, type SubjectType } from './limit-words.ts'
import { SubjectField } from './subject-field.tsx'
import { TryLimit } from './try-limit.tsx'
import { useSubjectName } from './subjects.ts'

interface LimitDialogProps {
  group: CurrentGroup
  limit?: Limit
  /** What a new one begins with. */
  given?: { type?: string; id?: string }
  onClose: () => void
}

const choicesOf = <Id extends string>(names: Record<Id, string>) =>
  Object.entries<string>(names).map(([id, label]) => ({ id: id as Id, label }))

const actions = { block: 'Block requests', warn: 'Only warn' }

export function LimitDialog({ group, limit, given = {}, onClose }: LimitDialogProps) {
  const [draft, setDraft] = useState(() => (limit ? draftOf(limit) : newDraft(subjectOf(given))))
  const change = (part: Partial<LimitDraft>) => setDraft({ ...draft, ...part })
  const form = useForm(['limits', group.id], limit ? 'Limit changed' : 'Limit added', onClose, () =>
    limit
      ? call('PATCH', '/api/v1/limits/{id}', { path: { id: limit.id }, body: changesOf(draft) })
      : call('POST', '/api/v1/limits', { body: { ...bodyOf(draft), group_id: group.id } }),
  )
  const nameOf = useSubjectName(group)
  return (
    <FormDialog
      {...form}
      wide
      title={limit ? 'Edit limit' : 'Add limit'}
      description={limit ? `For ${nameOf(limit.subject)}.` : `In the group ${group.name}.`}
      action={limit ? 'Save limit' : 'Add limit'}
    >
      {!limit && <Subject group={group} draft={draft} onChange={change} />}
      <Amount draft={draft} isNew={!limit} error={form.error} onChange={change} />
      <div>
        <p className="mb-1.5 text-sm font-medium">When it is reached</p>
        <Segmented
          label="When it is reached"
          choices={choicesOf(actions)}
          value={draft.action}
          onChange={(action) => change({ action })}
        />
      </div>
      {draft.action === 'block' && <Exceptions draft={draft} onChange={change} />}
      <TryLimit group={group} body={bodyOf(draft)} problem={missing(draft)} />
    </FormDialog>
  )
}

interface PartProps {
  draft: LimitDraft
  onChange: (part: Partial<LimitDraft>) => void
}

function Subject({ group, draft, onChange }: PartProps & { group: CurrentGroup }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <ChoiceField
        label="For"
        value={draft.type}
        choices={choicesOf(subjectNames)}
        onChange={(type) => onChange({ type, id: '' })}
      />
      <SubjectField group={group} type={draft.type} value={draft.id} onChange={(id) => onChange({ id })} />
    </div>
  )
}

interface AmountProps extends PartProps {
  isNew: boolean
  error: unknown
}

function Amount({ draft, isNew, error, onChange }: AmountProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      {isNew && (
        <ChoiceField
          label="What is limited"
          value={draft.metric}
          choices={choicesOf(metricNames)}
          onChange={(metric) => onChange({ metric })}
        />
      )}
      <TextField
        label={draft.metric === 'cost' ? 'At most, in $' : 'At most'}
        hint={isNew ? undefined : `${metricNames[draft.metric]}, ${oftenText(draft)}`}
        error={errorOf(error, 'amount')}
        required
        inputMode="decimal"
        placeholder={draft.metric === 'cost' ? '10.00' : '1000'}
        value={draft.amount}
        onChange={(amount) => onChange({ amount })}
      />
      {isNew && draft.metric !== 'concurrent' && (
        <ChoiceField
          label="Per"
          value={draft.window}
          choices={choicesOf(windowNames)}
          onChange={(window) => onChange({ window })}
        />
      )}
    </div>
  )
}

const outages = { refuse: 'Refuse requests', allow: 'Allow requests' }
const unpricedChoices = { block: 'Block requests', allow: 'Allow requests' }

function Exceptions({ draft, onChange }: PartProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <ChoiceField
        label="While the database is unavailable"
        hint="Once the share that this server has already reserved is used up."
        value={draft.onOutage}
        choices={choicesOf(outages)}
        onChange={(onOutage) => onChange({ onOutage })}
      />
      {draft.metric === 'cost' && (
        <ChoiceField
          label="For a model without a price"
          hint="Its cost is unknown, so it cannot be counted."
          value={draft.unpriced ?? 'block'}
          choices={choicesOf(unpricedChoices)}
          onChange={(unpriced) => onChange({ unpriced })}
        />
      )}
    </div>
  )
}

function subjectOf({ type, id }: { type?: string; id?: string }) {
  const known = Object.keys(subjectNames).find((each) => each === type) as SubjectType | undefined
  return { type: known, id }
}
