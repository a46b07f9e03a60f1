import { Fault, faults, notFound } from '#kernel/errors'
import { newId } from '#kernel/uuid'
import type { Author } from './author.ts'
import type { EvidenceItem } from './contract.ts'
import * as store from './store/detail-store.ts'
import type { DbTransaction } from './tables.ts'

export interface ConfidenceUpdate {
  confidence: number
  reason: string
  evidence: EvidenceItem[]
  proposed: number | null
  /** The change is refused where the confidence is another by now; undefined: it does not matter. */
  expected?: number | null
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
  if (update.expected !== undefined && before.confidence !== update.expected)
    throw new Fault(
      faults.conflict,
      `The confidence of "${before.text}" was ${shown(update.expected)} and is ${shown(before.confidence)} now. ` +
        `To change it to ${update.confidence} all the same, send expected_confidence: ${before.confidence}.`,
      { param: 'expected_confidence' },
    )
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

const shown = (confidence: number | null): string => (confidence === null ? 'not given' : String(confidence))
