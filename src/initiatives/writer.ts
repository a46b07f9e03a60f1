import type { Author } from './author.ts'
import { setConfidence } from './confidence.ts'
import type { DecisionInput, EvidenceItem } from './contract.ts'
import { recordDecision } from './details.ts'
import { newId } from './new-id.ts'
import { saveQuestions, type ApprovedQuestion } from './save-questions.ts'
import { insertArtifact } from './store/detail-store.ts'
import { updateInitiative } from './store/initiative-store.ts'
import type { Db, DbTransaction } from './tables.ts'

/** A draft that a person approved, with what it changes beyond the document itself. */
export interface Approved {
  groupId: string
  initiativeId: string
  standupId: string
  title: string
  content: string
  effect:
    | { type: 'meeting_notes'; questions: readonly ApprovedQuestion[] }
    | { type: 'decision_record'; decision: DecisionInput }
    | {
        type: 'criteria_update'
        criterionId: string
        confidence: number
        proposed: number | null
        /** What the confidence was when the change was proposed. */
        expected: number | null
        reason: string
        evidence: EvidenceItem[]
      }
}

/** The only way in which a stand-up changes an initiative. */
export interface InitiativeWriter {
  /** Document, decision or confidence, and the caller's own row, in one transaction. */
  approve(
    author: Author,
    approved: Approved,
    alsoWithin: (transaction: DbTransaction) => Promise<void>,
  ): Promise<void>
}

export function createWriter(db: Db): InitiativeWriter {
  return {
    approve: (author, approved, alsoWithin) =>
      db.transaction().execute(async (transaction) => {
        // First: it decides whether this approval is the one that counts.
        await alsoWithin(transaction)
        await applyEffect(transaction, author, approved)
        await insertArtifact(transaction, {
          id: newId(),
          initiative_id: approved.initiativeId,
          type: approved.effect.type,
          title: approved.title,
          content: approved.content,
          standup_id: approved.standupId,
          approved_by: author.userId,
          approved_by_name: author.name,
        })
        await updateInitiative(transaction, approved.initiativeId, {})
      }),
  }
}

async function applyEffect(
  transaction: DbTransaction,
  author: Author,
  { groupId, initiativeId, standupId, effect }: Approved,
): Promise<void> {
  if (effect.type === 'decision_record')
    await recordDecision(transaction, { groupId, initiativeId, standupId }, author, effect.decision)
  if (effect.type === 'meeting_notes') await saveQuestions(transaction, initiativeId, effect.questions)
  if (effect.type === 'criteria_update') {
    const { criterionId, confidence, proposed, expected, reason, evidence } = effect
    const update = { confidence, proposed, expected, reason, evidence, standupId }
    await setConfidence(transaction, author, initiativeId, criterionId, update)
  }
}
