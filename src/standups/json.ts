import { rowJson } from '#kernel/rows'
import type { Draft, Proposal } from './contract.ts'
import type { DraftRow, ProposalRow } from './tables.ts'

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
