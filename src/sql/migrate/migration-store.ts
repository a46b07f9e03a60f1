import { sql, type Insertable, type Kysely, type RawBuilder, type Selectable, type Updateable } from 'kysely'
import { olderThan, type Place } from '#kernel/paging'
import type { MigrationState } from '../contract.ts'
import type { SqlTables } from '../tables.ts'
import type { MigrationTables } from './tables.ts'

type Db = Kysely<MigrationTables & SqlTables>
type Table = MigrationTables['sql.migrations']
type Stored = Selectable<Table>

/** What tells migrations apart: the same name with another text is another one. */
export type MigrationKey = Pick<Stored, 'group_id' | 'database' | 'name' | 'sha256'>
export type MigrationChanges = Updateable<Omit<Table, keyof MigrationKey | 'id'>>

/** As people see it, with what its approval says. */
export type MigrationRow = Omit<Stored, 'state'> & { state: MigrationState; decided_by: string | null }

const isOpen = (id: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from sql.open_attempts o where o.attempt_id = ${sql.ref(id)})`

/** An attempt that nobody runs any more was cut: what the database has is read by the next settlement. */
const isCut = sql<boolean>`case when m.state = 'asked' then coalesce(a.status = 'used', false) and not ${isOpen('a.audit_id')}
      else m.attempt_id is not null and not ${isOpen('m.attempt_id')} end`

const state = sql<MigrationState>`case
      when ${isCut} then 'unknown'
      when m.state <> 'asked' then m.state
      when a.status = 'used' then 'running'
      when a.status in ('pending', 'approved') and a.expires_at <= now() then 'expired'
      when a.status = 'pending' then 'waiting'
      else coalesce(a.status, 'expired') end`

const selected = (db: Db) =>
  db
    .selectFrom('sql.migrations as m')
    .leftJoin('sql.approvals as a', 'a.id', 'm.approval_id')
    .selectAll('m')
    .select(['a.decider as decided_by', state.as('shown')])

const toRow = <Row extends { shown: MigrationState }>({ shown, ...row }: Row) => ({ ...row, state: shown })

export interface MigrationFilter {
  groupId: string
  /** Only what this key asked for. */
  keyId?: string | undefined
  database?: string | undefined
  agentId?: string | undefined
  state?: MigrationState | undefined
  search?: string | undefined
  /** The one that this approval is for, to apply it or to roll it back. */
  approvalId?: string | undefined
  before?: Place | undefined
  limit: number
}

/** Newest first. */
export async function listMigrations(db: Db, filter: MigrationFilter): Promise<MigrationRow[]> {
  const { keyId, database, agentId, search, approvalId, before } = filter
  let query = selected(db).where('m.group_id', '=', filter.groupId)
  if (keyId !== undefined) query = query.where('m.requested_key', '=', keyId)
  if (database !== undefined) query = query.where('m.database', '=', database)
  if (agentId !== undefined) query = query.where('m.agent_id', '=', agentId)
  if (filter.state !== undefined) query = query.where(state, '=', filter.state)
  if (approvalId !== undefined)
    query = query.where((is) =>
      is.or([is('m.approval_id', '=', approvalId), is('m.rollback_approval_id', '=', approvalId)]),
    )
  if (search !== undefined) {
    const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    query = query.where((is) => is.or([is('m.name', 'ilike', pattern), is('m.reason', 'ilike', pattern)]))
  }
  if (before) query = query.where(olderThan('m.asked_at', 'm.id', before))
  const newest = query.orderBy('m.asked_at', 'desc').orderBy('m.id', 'desc')
  return (await newest.limit(filter.limit).execute()).map(toRow)
}

export async function findMigration(
  db: Db,
  groupIds: readonly string[],
  id: string,
): Promise<MigrationRow | undefined> {
  if (groupIds.length === 0) return undefined
  const query = selected(db).where('m.group_id', 'in', groupIds).where('m.id', '=', id)
  const row = await query.executeTakeFirst()
  return row && toRow(row)
}

/** Those whose attempt was cut, of all groups. */
export async function listCut(db: Db, limit: number): Promise<MigrationRow[]> {
  const query = selected(db).where(isCut).orderBy('m.asked_at').limit(limit)
  return (await query.execute()).map(toRow)
}

/** Adds it, or makes these changes to the one that is there. */
export async function saveMigration(
  db: Db,
  row: Insertable<Table>,
  changes: MigrationChanges,
  unless?: Stored['state'],
): Promise<void> {
  await db
    .insertInto('sql.migrations')
    .values(row)
    .onConflict((conflict) => {
      const update = conflict.columns(['group_id', 'database', 'name', 'sha256']).doUpdateSet(changes)
      return unless === undefined ? update : update.where('sql.migrations.state', '<>', unless)
    })
    .execute()
}

export async function changeMigration(db: Db, key: MigrationKey, changes: MigrationChanges): Promise<void> {
  await db
    .updateTable('sql.migrations')
    .set(changes)
    .where('group_id', '=', key.group_id)
    .where('database', '=', key.database)
    .where('name', '=', key.name)
    .where('sha256', '=', key.sha256)
    .execute()
}

/** What a settlement found, unless somebody began another attempt meanwhile. */
export async function settleMigration(
  db: Db,
  { id, attempt_id }: Pick<Stored, 'id' | 'attempt_id'>,
  changes: MigrationChanges,
): Promise<void> {
  await db
    .updateTable('sql.migrations')
    .set(changes)
    .where('id', '=', id)
    .where(sql<boolean>`attempt_id is not distinct from ${attempt_id}::uuid`)
    .execute()
}

/** The names and texts of a database that are known here as applied. */
export async function knownMigrations(
  db: Db,
  groupId: string,
  database: string,
): Promise<Pick<Stored, 'name' | 'sha256'>[]> {
  return db
    .selectFrom('sql.migrations')
    .select(['name', 'sha256'])
    .where('group_id', '=', groupId)
    .where('database', '=', database)
    .execute()
}
