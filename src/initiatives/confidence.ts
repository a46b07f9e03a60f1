import { notFound } from '#kernel/errors'
import type { Author } from './author.ts'
import type { EvidenceItem } from './contract.ts'
import { newId } from './new-id.ts'
import * as store from './store/detail-store.ts'
import type { DbTransaction } from './tables.ts'

export interface ConfidenceUpdate {
  confidence: number
  reason: string
  evidence: EvidenceItem[]
  proposed: number | null
  standupId: string | null
}

/** Sets the confidence and keeps how it came about. */
export async function setConfidence(
  transaction: DbTransaction,
  author: Author,
  initiativeId: string,
  criterionId: string,
  update: ConfidenceUpdate,
): Promise<void> {
  const before = await store.lockCriterion(transaction, initiativeId, criterionId)
  if (!before) throw notFound('The criterion')
  await store.updateCriterion(transaction, criterionId, { confidence: update.confidence })
  await store.insertConfidenceChange(transaction, {
    id: newId(),
    criterion_id: criterionId,
    before: before.confidence,
    confidence: update.confidence,
    proposed: update.proposed,
    reason: update.reason,
    evidence: JSON.stringify(update.evidence),
    standup_id: update.standupId,
    changed_by: author.userId,
    changed_by_name: author.name,
  })
}
