import type { Insertable, Selectable } from 'kysely'
import type { InitiativeTables, Queries } from '../tables.ts'

type Table = InitiativeTables['initiatives.decisions']
export type DecisionRow = Selectable<Table>

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

export async function insertDecision(db: Queries, values: Insertable<Table>): Promise<DecisionRow> {
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
