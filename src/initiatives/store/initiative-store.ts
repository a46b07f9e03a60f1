import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import { isUuid } from '#kernel/uuid'
import { olderThan, type Place } from '#kernel/paging'
import type { Db, InitiativeTables, Queries } from '../tables.ts'

type Table = InitiativeTables['initiatives.initiatives']
export type InitiativeRow = Selectable<Table>

/** Undefined: another initiative of the group has the slug. */
export async function insertInitiative(
  db: Queries,
  values: Insertable<Table>,
): Promise<InitiativeRow | undefined> {
  return db
    .insertInto('initiatives.initiatives')
    .values(values)
    .onConflict((conflict) => conflict.columns(['group_id', 'slug']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** By its ID or its slug. */
export async function findInitiative(
  db: Queries,
  groupId: string,
  idOrSlug: string,
): Promise<InitiativeRow | undefined> {
  return db
    .selectFrom('initiatives.initiatives')
    .selectAll()
    .where('group_id', '=', groupId)
    .where(isUuid(idOrSlug) ? 'id' : 'slug', '=', idOrSlug)
    .executeTakeFirst()
}

export async function updateInitiative(
  db: Queries,
  id: string,
  change: Updateable<Table>,
): Promise<InitiativeRow | undefined> {
  return db
    .updateTable('initiatives.initiatives')
    .set({ ...change, updated_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteInitiative(db: Db, groupId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('initiatives.initiatives')
    .where('group_id', '=', groupId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export interface SummaryRow extends InitiativeRow {
  criteria_count: number
  confidence: number | null
  confidences: (number | null)[]
  open_questions: number
}

/** Newest first, from the one after the cursor. */
export async function listInitiatives(
  db: Db,
  groupId: string,
  query: {
    statuses: readonly InitiativeRow['status'][] | undefined
    after: Place | undefined
    limit: number
  },
): Promise<SummaryRow[]> {
  let rows = db
    .selectFrom('initiatives.initiatives as i')
    .selectAll('i')
    .select([
      sql<number>`(select count(*)::int from initiatives.criteria c where c.initiative_id = i.id)`.as(
        'criteria_count',
      ),
      sql<
        number | null
      >`(select min(c.confidence) from initiatives.criteria c where c.initiative_id = i.id)`.as('confidence'),
      sql<
        (number | null)[]
      >`array(select c.confidence from initiatives.criteria c where c.initiative_id = i.id order by c.created_at, c.id)`.as(
        'confidences',
      ),
      sql<number>`(select count(*)::int from initiatives.questions q where q.initiative_id = i.id and q.answered_at is null)`.as(
        'open_questions',
      ),
    ])
    .where('i.group_id', '=', groupId)
    .orderBy('i.created_at', 'desc')
    .orderBy('i.id', 'desc')
    .limit(query.limit)
  if (query.statuses) rows = rows.where('i.status', 'in', query.statuses)
  const { after } = query
  if (after) rows = rows.where(olderThan('i.created_at', 'i.id', after))
  return rows.execute()
}
