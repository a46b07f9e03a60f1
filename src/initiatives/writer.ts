import { newId } from '#kernel/uuid'
import type { Author } from './author.ts'
import { setConfidence } from './confidence.ts'
import { type DecisionInput, type EvidenceItem, maxQuestions, type QuestionInput } from './contract.ts'
import { recordDecision } from './details.ts'
import { insertArtifact } from './store/detail-store.ts'
import { updateInitiative } from './store/initiative-store.ts'
import type { Db, DbTransaction } from './tables.ts'
import * as store from './store/detail-store.ts'

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

/** A question that approved notes have, which may be one of the initiative's own. */
interface ApprovedQuestion extends QuestionInput {
  id: string
  answer: string | null
  answered_by: string | null
}

/** Questions of a stand-up: new ones are added as far as there is room, open ones get their answer. */
async function saveQuestions(
  transaction: DbTransaction,
  initiativeId: string,
  questions: readonly ApprovedQuestion[],
): Promise<void> {
  let room = maxQuestions - (await store.countDetails(transaction, 'questions', initiativeId))
  for (const { id, text, category, answer, answered_by } of questions) {
    const answered = {
      answer,
      answered_at: answer === null ? null : new Date(),
      answered_by_name: answer === null ? null : answered_by,
    }
    const known = await store.findQuestion(transaction, initiativeId, id)
    if (known?.answered_at === null && answer !== null)
      await store.updateQuestion(transaction, initiativeId, id, answered)
    if (known || room-- <= 0) continue
    await store.insertQuestion(transaction, { id, initiative_id: initiativeId, text, category, ...answered })
  }
}
