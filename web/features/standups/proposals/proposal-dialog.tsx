import { useState } from 'react'
import type { ConfidenceProposal, DecisionProposal, Proposal } from '#standups/contract'
import { errorOf, FormDialog } from '../../../ui/form-dialog.tsx'
import { TextField, TextareaField } from '../../../ui/text-field.tsx'
import { ConfidenceField } from '../../initiatives/index.ts'
import { call, type Given } from '../../../api/client.ts'
import { useStandupCall } from '../standup-queries.ts'

const editPath = '/api/initiatives/{id}/standup/proposals/{proposal_id}/edit'

const sendEdit = (id: string, proposal_id: string, body: Given<'POST', typeof editPath>['body']) =>
  call('POST', editPath, { path: { id, proposal_id }, body })

interface ProposalDialogProps<Kind extends Proposal = Proposal> {
  initiativeId: string
  proposal: Kind
  onClose: () => void
}

/** Changes what a proposal says and accepts it. */
export function ProposalDialog({ initiativeId, proposal, onClose }: ProposalDialogProps) {
  const shared = { initiativeId, onClose }
  return proposal.kind === 'decision' ? (
    <DecisionForm {...shared} proposal={proposal} />
  ) : (
    <ConfidenceForm {...shared} proposal={proposal} />
  )
}

const texts = [
  ['decision', 'Decision'],
  ['context', 'Context'],
  ['rationale', 'Rationale'],
  ['consequences', 'Consequences'],
] as const

function DecisionForm({ initiativeId, proposal, onClose }: ProposalDialogProps<DecisionProposal>) {
  const { title, context, options, decision, rationale, consequences } = proposal
  const [draft, setDraft] = useState({
    ...{ title, context, decision, rationale, consequences },
    options: options.join('\n'),
  })
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const edit = useStandupCall()
  const body = { ...draft, options: draft.options.split('\n').flatMap((option) => option.trim() || []) }
  return (
    <FormDialog
      title="Edit decision"
      action="Save and accept"
      wide
      busy={edit.isPending}
      error={edit.error}
      onSubmit={() => edit.mutate(() => sendEdit(initiativeId, proposal.id, body), { onSuccess: onClose })}
      onClose={onClose}
    >
      <TextField
        label="Title"
        required
        maxLength={300}
        error={errorOf(edit.error, 'title')}
        value={draft.title}
        onChange={(next) => change({ title: next })}
      />
      {texts.map(([name, label]) => (
        <TextareaField
          key={name}
          label={label}
          error={errorOf(edit.error, name)}
          rows={2}
          required={name === 'decision'}
          maxLength={20_000}
          className="max-h-60"
          value={draft[name]}
          onChange={(text) => change({ [name]: text })}
        />
      ))}
      <TextareaField
        label="Options"
        hint="One per line."
        error={errorOf(edit.error, 'options')}
        rows={2}
        maxLength={20_000}
        value={draft.options}
        onChange={(text) => change({ options: text })}
      />
    </FormDialog>
  )
}

function ConfidenceForm({ initiativeId, proposal, onClose }: ProposalDialogProps<ConfidenceProposal>) {
  const [confidence, setConfidence] = useState(proposal.confidence)
  const [rationale, setRationale] = useState(proposal.rationale)
  const edit = useStandupCall()
  const body = { confidence, rationale }
  return (
    <FormDialog
      title="Edit confidence"
      description={proposal.criterion}
      action="Save and accept"
      busy={edit.isPending}
      error={edit.error}
      onSubmit={() => edit.mutate(() => sendEdit(initiativeId, proposal.id, body), { onSuccess: onClose })}
      onClose={onClose}
    >
      <ConfidenceField value={confidence} onChange={setConfidence} />
      <TextareaField
        label="Reason"
        error={errorOf(edit.error, 'rationale')}
        required
        rows={3}
        maxLength={20_000}
        value={rationale}
        onChange={setRationale}
      />
    </FormDialog>
  )
}
