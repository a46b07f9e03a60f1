import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { InitiativeTables, Queries } from '../tables.ts'

type Criteria = InitiativeTables['initiatives.criteria']
type Changes = InitiativeTables['initiatives.confidence_changes']
type Questions = InitiativeTables['initiatives.questions']

export type CriterionRow = Selectable<Criteria>
export type ConfidenceChangeRow = Selectable<Changes>
export type QuestionRow = Selectable<Questions>

const maxHistory = 100

export async function listCriteria(db: Queries, initiativeId: string): Promise<CriterionRow[]> {
  return db
    .selectFrom('initiatives.criteria')
    .selectAll()
    .where('initiative_id', '=', initiativeId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** The newest of each criterion, oldest first. */
export async function confidenceHistory(
  db: Queries,
  criterionIds: readonly string[],
): Promise<ConfidenceChangeRow[]> {
  if (criterionIds.length === 0) return []
  const { rows } = await sql<ConfidenceChangeRow>`
    select h.* from unnest(${criterionIds}::uuid[]) as wanted (id) cross join lateral (
      select * from initiatives.confidence_changes where criterion_id = wanted.id
      order by created_at desc, id desc limit ${maxHistory}) h
    order by h.created_at, h.id`.execute(db)
  return rows
}

export async function insertCriterion(db: Queries, values: Insertable<Criteria>): Promise<void> {
  await db.insertInto('initiatives.criteria').values(values).execute()
}

/** Other changes of the criterion wait until the transaction ends. */
export async function lockCriterion(
  db: Queries,
  initiativeId: string,
  id: string,
): Promise<CriterionRow | undefined> {
  return db
    .selectFrom('initiatives.criteria')
    .selectAll()
    .where('initiative_id', '=', initiativeId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function updateCriterion(db: Queries, id: string, change: Updateable<Criteria>): Promise<void> {
  await db
    .updateTable('initiatives.criteria')
    .set({ ...change, updated_at: new Date() })
    .where('id', '=', id)
    .execute()
}

export async function insertConfidenceChange(db: Queries, values: Insertable<Changes>): Promise<void> {
  await db.insertInto('initiatives.confidence_changes').values(values).execute()
}

export async function listFindings(db: Queries, initiativeId: string) {
  return db
    .selectFrom('initiatives.findings')
    .select(['id', 'text', 'source', 'url', 'created_at'])
    .where('initiative_id', '=', initiativeId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(500)
    .execute()
}

export async function insertFinding(
  db: Queries,
  values: Insertable<InitiativeTables['initiatives.findings']>,
): Promise<void> {
  await db.insertInto('initiatives.findings').values(values).execute()
}

export async function listQuestions(db: Queries, initiativeId: string): Promise<QuestionRow[]> {
  return db
    .selectFrom('initiatives.questions')
    .selectAll()
    .where('initiative_id', '=', initiativeId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(500)
    .execute()
}

export async function insertQuestion(db: Queries, values: Insertable<Questions>): Promise<void> {
  await db.insertInto('initiatives.questions').values(values).execute()
}

/** Undefined: the initiative has no such question. */
export async function updateQuestion(
  db: Queries,
  initiativeId: string,
  id: string,
  change: Updateable<Questions>,
): Promise<QuestionRow | undefined> {
  return db
    .updateTable('initiatives.questions')
    .set(change)
    .where('initiative_id', '=', initiativeId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function findQuestion(
  db: Queries,
  initiativeId: string,
  id: string,
): Promise<QuestionRow | undefined> {
  return db
    .selectFrom('initiatives.questions')
    .selectAll()
    .where('initiative_id', '=', initiativeId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function listArtifacts(db: Queries, initiativeId: string) {
  return db
    .selectFrom('initiatives.artifacts')
    .select([
      'id',
      'type',
      'title',
      'content',
      'standup_id',
      'approved_by_name as approved_by',
      'approved_at',
    ])
    .where('initiative_id', '=', initiativeId)
    .orderBy('approved_at', 'desc')
    .orderBy('id', 'desc')
    .limit(200)
    .execute()
}

export async function insertArtifact(
  db: Queries,
  values: Insertable<InitiativeTables['initiatives.artifacts']>,
): Promise<void> {
  await db.insertInto('initiatives.artifacts').values(values).execute()
}

export async function listLinks(db: Queries, initiativeId: string) {
  return db
    .selectFrom('initiatives.links')
    .select(['id', 'kind', 'target', 'title', 'created_at'])
    .where('initiative_id', '=', initiativeId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(500)
    .execute()
}

/** False: the initiative has this link already. */
export async function insertLink(
  db: Queries,
  values: Insertable<InitiativeTables['initiatives.links']>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('initiatives.links')
    .values(values)
    .onConflict((conflict) => conflict.columns(['initiative_id', 'kind', 'target']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export type Detail = 'criteria' | 'findings' | 'questions' | 'links'

export async function deleteDetail(
  db: Queries,
  detail: Detail,
  initiativeId: string,
  id: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom(`initiatives.${detail}`)
    .where('initiative_id', '=', initiativeId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** How many an initiative has, for the limits. */
export async function countDetails(db: Queries, detail: Detail, initiativeId: string): Promise<number> {
  const { count } = await db
    .selectFrom(`initiatives.${detail}`)
    .select(sql<number>`count(*)::int`.as('count'))
    .where('initiative_id', '=', initiativeId)
    .executeTakeFirstOrThrow()
  return count
}

type Decisions = InitiativeTables['initiatives.decisions']
export type DecisionRow = Selectable<Decisions>

/** Newest first. */
export async function listDecisions(db: Queries, initiativeId: string): Promise<DecisionRow[]> {
  return db
    .selectFrom('initiatives.decisions')
    .selectAll()
    .where('initiative_id', '=', initiativeId)
    .orderBy('decided_at', 'desc')
    .orderBy('id', 'desc')
    .limit(500)
    .execute()
}

export async function findDecision(
  db: Queries,
  initiativeId: string,
  id: string,
): Promise<DecisionRow | undefined> {
  return db
    .selectFrom('initiatives.decisions')
    .selectAll()
    .where('initiative_id', '=', initiativeId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function insertDecision(db: Queries, values: Insertable<Decisions>): Promise<DecisionRow> {
  return db.insertInto('initiatives.decisions').values(values).returningAll().executeTakeFirstOrThrow()
}

/** False: the decision is superseded already, or not there. */
export async function supersedeDecision(
  db: Queries,
  initiativeId: string,
  id: string,
  successor: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('initiatives.decisions')
    .set({ status: 'superseded', superseded_by: successor, updated_at: new Date() })
    .where('initiative_id', '=', initiativeId)
    .where('id', '=', id)
    .where('status', '!=', 'superseded')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Undefined: the decision is superseded, which is final, or not there. */
export async function setDecisionStatus(
  db: Queries,
  initiativeId: string,
  id: string,
  status: 'accepted' | 'deprecated',
): Promise<DecisionRow | undefined> {
  return db
    .updateTable('initiatives.decisions')
    .set({ status, updated_at: new Date() })
    .where('initiative_id', '=', initiativeId)
    .where('id', '=', id)
    .where('status', '!=', 'superseded')
    .returningAll()
    .executeTakeFirst()
}
