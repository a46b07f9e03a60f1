import type { LogEvent } from '#kernel/event-log'
import { rowJson } from '#kernel/rows'
import type { Draft, Proposal, StandupEvent } from './contract.ts'
import type { DraftRow, ProposalRow } from './tables.ts'

/** An event as readers get it. */
export function eventJson({ seq, type, data, at }: LogEvent): StandupEvent {
  return { ...data, id: seq, type, created_at: at.toISOString() } as unknown as StandupEvent
}

export function proposalJson(row: ProposalRow): Proposal {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    edited: row.edited,
    settled_by: row.settled_by_name,
    ...rowJson(row, ['settled_at', 'reason', 'created_at']),
    ...(row.kind === 'decision' && { supersedes: null }),
    ...row.content,
  } as Proposal
}

export function draftJson(row: DraftRow): Draft {
  return {
    id: row.id,
    type: row.type,
    title: row.title,
    content: row.content,
    status: row.status,
    proposal_id: row.proposal_id,
    is_proposal: 'is_proposal' in row.effect && row.effect.is_proposal,
    edited: row.title !== row.drafted_title || row.content !== row.drafted_content,
    settled_by: row.settled_by_name,
    ...rowJson(row, ['settled_at', 'reason', 'created_at']),
  }
}
