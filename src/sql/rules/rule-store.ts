import { sql, type Insertable, type Kysely, type Selectable } from 'kysely'
import type { RuleTables } from './tables.ts'

type Db = Kysely<RuleTables>
export type GrantRow = Selectable<RuleTables['sql.grants']>

/** The masks of the databases of a group, by name. */
export async function listMasks(db: Db, groupId: string): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('sql.database_rules')
    .select(['database', 'masked_columns'])
    .where('group_id', '=', groupId)
    .execute()
  return new Map(rows.map(({ database, masked_columns: masks }) => [database, masks]))
}

export async function setMasks(db: Db, groupId: string, database: string, masks: string[]): Promise<void> {
  const changes = { masked_columns: masks, updated_at: new Date() }
  await db
    .insertInto('sql.database_rules')
    .values({ group_id: groupId, database, ...changes })
    .onConflict((conflict) => conflict.columns(['group_id', 'database']).doUpdateSet(changes))
    .execute()
}

export async function deleteMasks(db: Db, groupId: string, database: string): Promise<void> {
  await db
    .deleteFrom('sql.database_rules')
    .where('group_id', '=', groupId)
    .where('database', '=', database)
    .execute()
}

export interface RuleRows {
  masks: string[]
  grants: Pick<GrantRow, 'id' | 'operations' | 'tables' | 'unmask'>[]
}

/** All that applies to an agent in a database now. */
export async function findRules(
  db: Db,
  groupId: string,
  database: string,
  agentId: string,
): Promise<RuleRows> {
  const { rows } = await sql<{ masks: string[] | null; grants: RuleRows['grants'] | null }>`
    select
      (select masked_columns from sql.database_rules where group_id = ${groupId} and database = ${database}) as masks,
      (select json_agg(json_build_object('id', id, 'operations', operations, 'tables', tables, 'unmask', unmask) order by created_at, id)
        from sql.grants
        where group_id = ${groupId} and database = ${database} and agent_id = ${agentId}
          and expires_at > now() and revoked_at is null) as grants`.execute(db)
  return { masks: rows[0]?.masks ?? [], grants: rows[0]?.grants ?? [] }
}

export async function insertGrant(
  db: Db,
  grant: Omit<Insertable<RuleTables['sql.grants']>, 'revoked_at' | 'revoker'>,
): Promise<GrantRow> {
  return db.insertInto('sql.grants').values(grant).returningAll().executeTakeFirstOrThrow()
}

/** Newest first. */
export async function listGrants(db: Db, groupId: string, limit: number): Promise<GrantRow[]> {
  return db
    .selectFrom('sql.grants')
    .selectAll()
    .where('group_id', '=', groupId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function countGrants(db: Db, groupId: string): Promise<number> {
  const { count } = await db
    .selectFrom('sql.grants')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('group_id', '=', groupId)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function findGrant(db: Db, groupIds: string[], id: string): Promise<GrantRow | undefined> {
  if (groupIds.length === 0) return undefined
  return db
    .selectFrom('sql.grants')
    .selectAll()
    .where('id', '=', id)
    .where('group_id', 'in', groupIds)
    .executeTakeFirst()
}

/** Undefined: it has ended or was revoked already. */
export async function revokeGrant(db: Db, id: string, revoker: string): Promise<GrantRow | undefined> {
  return db
    .updateTable('sql.grants')
    .set({ revoked_at: new Date(), revoker })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returningAll()
    .executeTakeFirst()
}
