import { useState, type ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Check, Pencil, X } from 'lucide-react'
import type { Proposal } from '#standups/contract'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { ConfidenceBar, EvidenceList } from '../../initiatives/index.ts'
import { call } from '../../../api/client.ts'
import { useStandupCall } from '../standup-queries.ts'
import { ProposalDialog } from './proposal-dialog.tsx'

interface ProposalCardProps {
  initiativeId: string
  proposal: Proposal
  /** Only while the stand-up is open, and not by viewers. */
  maySettle: boolean
}

const tones: Record<Proposal['status'], Tone> = {
  pending: 'accent',
  accepted: 'success',
  rejected: 'neutral',
}

/** What the agent proposes. Settling it changes nothing of the initiative: at the end it is drafted, or not. */
export function ProposalCard({ initiativeId, proposal, maySettle }: ProposalCardProps) {
  const { status, kind } = proposal
  const name = kind === 'decision' ? proposal.title : proposal.criterion
  return (
    <section
      id={`proposal-${proposal.id}`}
      aria-label={`Proposal: ${name}`}
      className={clsx(
        'scroll-mt-6 space-y-2 rounded-xl border bg-surface px-4 py-3 text-sm shadow-low target:ring-2 target:ring-focus',
        status === 'pending' ? 'border-line-strong' : 'border-line',
        status === 'rejected' && 'opacity-70',
      )}
    >
      <p className="flex flex-wrap items-center gap-1.5">
        <Badge>{kind === 'decision' ? 'Decision' : 'Confidence'}</Badge>
        <Badge tone={tones[status]}>{status}</Badge>
        {proposal.edited && <Badge>edited</Badge>}
      </p>
      {proposal.kind === 'decision' ? (
        <>
          <h3 className="font-semibold [overflow-wrap:anywhere]">{proposal.title}</h3>
          <p className="[overflow-wrap:anywhere] whitespace-pre-wrap">{proposal.decision}</p>
          {proposal.supersedes !== null && (
            <p className="[overflow-wrap:anywhere] text-ink-soft">
              <span className="font-medium text-ink">Supersedes:</span>{' '}
              <Link
                to="/initiatives/$id"
                params={{ id: initiativeId }}
                search={{ decision: proposal.supersedes.id }}
                className="text-accent hover:underline"
              >
                {proposal.supersedes.title}
              </Link>
            </p>
          )}
          <Detail name="Why">{proposal.rationale}</Detail>
          <Detail name="Options">{proposal.options.join(' · ')}</Detail>
          <Detail name="Consequences">{proposal.consequences}</Detail>
        </>
      ) : (
        <>
          <h3 className="font-semibold [overflow-wrap:anywhere]">{proposal.criterion}</h3>
          <p className="flex flex-wrap items-center gap-x-3">
            <ConfidenceBar confidence={proposal.confidence} estimate={proposal.proposed} />
            <span className="text-xs text-ink-faint">
              {proposal.before === null ? 'first estimate' : `was ${proposal.before}%`}
              {proposal.proposed !== proposal.confidence && `, agent: ${proposal.proposed}%`}
            </span>
          </p>
          <Detail name="Why">{proposal.rationale}</Detail>
        </>
      )}
      <EvidenceList items={proposal.evidence} />
      {proposal.settled_by !== null && (
        <p className="text-xs text-ink-faint">
          {`${status} by ${proposal.settled_by}`}
          {proposal.reason !== null && `: ${proposal.reason}`}
        </p>
      )}
      {maySettle && <Actions initiativeId={initiativeId} proposal={proposal} />}
    </section>
  )
}

function Detail({ name, children }: { name: string; children: string }): ReactNode {
  if (children.trim() === '') return null
  return (
    <p className="[overflow-wrap:anywhere] whitespace-pre-wrap text-ink-soft">
      <span className="font-medium text-ink">{name}:</span> {children}
    </p>
  )
}

function Actions({ initiativeId, proposal }: { initiativeId: string; proposal: Proposal }) {
  const [open, setOpen] = useState<'edit' | 'reject' | undefined>()
  const [reason, setReason] = useState('')
  const close = () => setOpen(undefined)
  const settle = useStandupCall()
  const path = { id: initiativeId, proposal_id: proposal.id }
  if (open === 'reject')
    return (
      <form
        className="space-y-2 pt-1"
        onSubmit={(event) => {
          event.preventDefault()
          const body = reason.trim() === '' ? {} : { reason: reason.trim() }
          settle.mutate(
            () =>
              call('POST', '/api/initiatives/{id}/standup/proposals/{proposal_id}/reject', { path, body }),
            { onSuccess: close },
          )
        }}
      >
        <TextField
          label="Reason"
          hint="Optional"
          autoFocus
          maxLength={4000}
          value={reason}
          onChange={setReason}
        />
        {settle.error && <FailureNotice error={settle.error} />}
        <div className="flex gap-2">
          <Button type="submit" size="small" look="primary" busy={settle.isPending}>
            Reject
          </Button>
          <Button size="small" onClick={close}>
            Cancel
          </Button>
        </div>
      </form>
    )
  return (
    <>
      {settle.error && <FailureNotice error={settle.error} />}
      <div className="flex flex-wrap gap-2 pt-1">
        {proposal.status !== 'accepted' && (
          <Button
            size="small"
            look={proposal.status === 'pending' ? 'primary' : 'plain'}
            icon={Check}
            busy={settle.isPending}
            onClick={() =>
              settle.mutate(() =>
                call('POST', '/api/initiatives/{id}/standup/proposals/{proposal_id}/accept', { path }),
              )
            }
          >
            Accept
          </Button>
        )}
        <Button size="small" icon={Pencil} onClick={() => setOpen('edit')}>
          Edit
        </Button>
        {proposal.status !== 'rejected' && (
          <Button size="small" look="quiet" icon={X} onClick={() => setOpen('reject')}>
            Reject
          </Button>
        )}
      </div>
      {open === 'edit' && <ProposalDialog initiativeId={initiativeId} proposal={proposal} onClose={close} />}
    </>
  )
}
