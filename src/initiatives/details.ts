import { Fault, faults, invalidField, notFound } from '#kernel/errors'
import { newId } from '#kernel/uuid'
import type { Author } from './author.ts'
import { setConfidence } from './confidence.ts'
import {
  maxCriteria,
  maxFindings,
  maxQuestions,
  type CriterionChange,
  type CriterionInput,
  type DecisionInput,
  type FindingInput,
  type LinkInput,
  type QuestionChange,
  type QuestionInput,
} from './contract.ts'
import { insertCriterion, insertFinding, insertQuestion } from './insert-details.ts'
import * as store from './store/detail-store.ts'
import { updateInitiative } from './store/initiative-store.ts'
import type { Db, DbTransaction } from './tables.ts'

const maxOf: Record<store.Detail, number> = {
  criteria: maxCriteria,
  findings: maxFindings,
  questions: maxQuestions,
  links: 500,
}

async function checkRoom(db: DbTransaction, detail: store.Detail, initiativeId: string): Promise<void> {
  if ((await store.countDetails(db, detail, initiativeId)) >= maxOf[detail])
    throw new Fault(
      faults.conflict,
      `An initiative has at most ${maxOf[detail]} ${detail}. Remove one first.`,
    )
}

/** Records a decision; the one that it replaces is superseded in the same step. */
export async function recordDecision(
  transaction: DbTransaction,
  place: { groupId: string; initiativeId: string; standupId: string | null },
  author: Author,
  { supersedes, decided_at, decided_by, options, evidence, ...content }: DecisionInput,
): Promise<store.DecisionRow> {
  const id = newId()
  if (supersedes !== undefined) {
    const replaced = await store.findDecision(transaction, place.initiativeId, supersedes)
    if (!replaced) throw invalidField('supersedes', 'is no decision of this initiative')
  }
  const row = await store.insertDecision(transaction, {
    ...content,
    id,
    group_id: place.groupId,
    initiative_id: place.initiativeId,
    standup_id: place.standupId,
    options: JSON.stringify(options),
    evidence: JSON.stringify(evidence),
    decided_by: decided_by ?? author.name,
    decided_at: decided_at === undefined ? new Date() : new Date(decided_at),
    supersedes: supersedes ?? null,
  })
  if (
    supersedes !== undefined &&
    !(await store.supersedeDecision(transaction, place.initiativeId, supersedes, id))
  )
    throw new Fault(faults.conflict, 'That decision has already been superseded. Name the newest one.')
  return row
}

/** What belongs to an initiative. Every change is one transaction. */
export function createDetails(db: Db) {
  const inTransaction = <T>(work: (transaction: DbTransaction) => Promise<T>): Promise<T> =>
    db.transaction().execute((transaction) => work(transaction))

  return {
    addCriterion: (initiativeId: string, author: Author, input: CriterionInput) =>
      inTransaction(async (transaction) => {
        await checkRoom(transaction, 'criteria', initiativeId)
        await insertCriterion(transaction, { initiativeId, author }, input)
      }),

    changeCriterion: (initiativeId: string, author: Author, id: string, change: CriterionChange) =>
      inTransaction(async (transaction) => {
        const { text, confidence, reason, evidence = [] } = change
        if (!(await store.lockCriterion(transaction, initiativeId, id))) throw notFound('The criterion')
        if (text !== undefined) await store.updateCriterion(transaction, id, { text })
        if (confidence === undefined) return
        if (reason === undefined) throw invalidField('reason', 'is needed with a new confidence')
        const update = { confidence, reason, evidence, proposed: null, standupId: null }
        await setConfidence(transaction, author, initiativeId, id, update)
      }),

    addFinding: (initiativeId: string, author: Author, input: FindingInput) =>
      inTransaction(async (transaction) => {
        await checkRoom(transaction, 'findings', initiativeId)
        await insertFinding(transaction, { initiativeId, author }, input)
      }),

    addQuestion: (initiativeId: string, author: Author, input: QuestionInput) =>
      inTransaction(async (transaction) => {
        await checkRoom(transaction, 'questions', initiativeId)
        await insertQuestion(transaction, { initiativeId, author }, input)
      }),

    async changeQuestion(initiativeId: string, author: Author, id: string, change: QuestionChange) {
      const { answer, ...rest } = change
      const answered =
        answer === undefined
          ? {}
          : {
              answer,
              answered_at: answer === null ? null : new Date(),
              answered_by_name: answer === null ? null : author.name,
            }
      const values = { ...rest, ...answered }
      const row = await (Object.keys(values).length === 0
        ? store.findQuestion(db, initiativeId, id)
        : store.updateQuestion(db, initiativeId, id, values))
      if (!row) throw notFound('The question')
    },

    addLink: (initiativeId: string, { kind, target, title }: LinkInput) =>
      inTransaction(async (transaction) => {
        await checkRoom(transaction, 'links', initiativeId)
        const values = { id: newId(), initiative_id: initiativeId, kind, target, title: title ?? target }
        if (!(await store.insertLink(transaction, values)))
          throw new Fault(faults.conflict, 'The initiative already has this link.')
      }),

    addDecision: (place: { groupId: string; initiativeId: string }, author: Author, input: DecisionInput) =>
      inTransaction((transaction) =>
        recordDecision(transaction, { ...place, standupId: null }, author, input),
      ),

    async changeDecision(initiativeId: string, id: string, status: 'accepted' | 'deprecated') {
      if (await store.setDecisionStatus(db, initiativeId, id, status)) return
      if (!(await store.findDecision(db, initiativeId, id))) throw notFound('The decision')
      throw new Fault(faults.conflict, 'The decision is superseded, which is final.')
    },

    remove: (detail: store.Detail, initiativeId: string, id: string) =>
      inTransaction(async (transaction) => {
        if (!(await store.deleteDetail(transaction, detail, initiativeId, id)))
          throw notFound(`The ${nouns[detail]}`)
        // Links and costs follow what has changed, and a deleted row cannot show that it has.
        if (detail === 'links') await updateInitiative(transaction, initiativeId, {})
      }),
  }
}

export type Details = ReturnType<typeof createDetails>

const nouns: Record<store.Detail, string> = {
  criteria: 'criterion',
  findings: 'finding',
  questions: 'question',
  links: 'link',
}
