import { newId } from '#kernel/uuid'
import type { Author } from './author.ts'
import { setConfidence } from './confidence.ts'
import type { CriterionInput, FindingInput, QuestionInput } from './contract.ts'
import * as store from './store/detail-store.ts'
import type { DbTransaction } from './tables.ts'

/** Where a detail goes, and who adds it. */
export interface Adding {
  initiativeId: string
  author: Author
}

export async function insertCriterion(
  transaction: DbTransaction,
  { initiativeId, author }: Adding,
  { text, confidence, reason }: CriterionInput,
  id = newId(),
): Promise<void> {
  await store.insertCriterion(transaction, { id, initiative_id: initiativeId, text, confidence: null })
  if (confidence === undefined) return
  await setConfidence(transaction, author, initiativeId, id, {
    confidence,
    reason: reason ?? 'First estimate',
    evidence: [],
    proposed: null,
    standupId: null,
  })
}

export async function insertFinding(
  transaction: DbTransaction,
  { initiativeId, author }: Adding,
  { text, source, url = null }: FindingInput,
  id = newId(),
): Promise<void> {
  const values = { id, initiative_id: initiativeId, text, source, url }
  await store.insertFinding(transaction, { ...values, created_by_name: author.name })
}

export async function insertQuestion(
  transaction: DbTransaction,
  { initiativeId }: Adding,
  { text, category }: QuestionInput,
  id = newId(),
): Promise<void> {
  const unanswered = { answer: null, answered_at: null, answered_by_name: null }
  const values = { id, initiative_id: initiativeId, text, category }
  await store.insertQuestion(transaction, { ...values, ...unanswered })
}

export interface FirstDetails {
  criteria: readonly CriterionInput[]
  findings: readonly FindingInput[]
  open_questions: readonly QuestionInput[]
}

/** What a new initiative begins with. */
export async function insertFirstDetails(
  transaction: DbTransaction,
  adding: Adding,
  { criteria, findings, open_questions }: FirstDetails,
): Promise<void> {
  for (const { id, item } of withIds(criteria)) await insertCriterion(transaction, adding, item, id)
  for (const { id, item } of withIds(findings)) await insertFinding(transaction, adding, item, id)
  for (const { id, item } of withIds(open_questions)) await insertQuestion(transaction, adding, item, id)
}

/** One ID for each, sorted as they are: rows of one transaction have the same time. */
function withIds<T>(list: readonly T[]): { id: string; item: T }[] {
  const start = Date.now()
  return list.map((item, index) => ({ id: newId(start + index), item }))
}
