import { proposalJson } from './json.ts'
import type { Writing } from './session-log.ts'
import { listProposals, updateProposal } from './store/proposal-store.ts'
import type { ConfidenceContent, ProposalRow } from './tables.ts'

/** Of one criterion one proposal stands: the last that was made or accepted. The others are rejected, and say why. */
export async function replaceOthers(
  { transaction, add }: Pick<Writing, 'transaction' | 'add'>,
  { id, session_id, kind, content }: ProposalRow,
): Promise<void> {
  if (kind !== 'confidence') return
  const criterionOf = (each: ProposalRow): string => (each.content as ConfidenceContent).criterion_id
  const { criterion_id } = content as ConfidenceContent
  for (const other of await listProposals(transaction, session_id)) {
    const isReplaced = other.kind === kind && other.id !== id && criterionOf(other) === criterion_id
    if (!isReplaced || other.status === 'rejected') continue
    const values = { status: 'rejected', reason: 'Replaced by another proposal for the criterion.' } as const
    const rejected = await updateProposal(transaction, other.id, values)
    await add({ type: 'proposal', proposal: proposalJson(rejected) })
  }
}
