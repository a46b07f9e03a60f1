import { maxQuestions, type QuestionInput } from './contract.ts'
import * as store from './store/detail-store.ts'
import type { DbTransaction } from './tables.ts'

/** A question that approved notes have, which may be one of the initiative's own. */
export interface ApprovedQuestion extends QuestionInput {
  id: string
  answer: string | null
  answered_by: string | null
}

/** Questions of a stand-up: new ones are added as far as there is room, open ones get their answer. */
export async function saveQuestions(
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
