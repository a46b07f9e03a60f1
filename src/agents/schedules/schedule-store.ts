import { sql, type Insertable, type Kysely, type Selectable, type Updateable } from 'kysely'
import type { AgentTables } from '../tables.ts'

type Db = Kysely<AgentTables>
export type ScheduleRow = Selectable<AgentTables['agents.schedules']>
type Change = Updateable<AgentTables['agents.schedules']>

/** The oldest first. */
export async function listSchedules(db: Db, groupId: string, agentId: string): Promise<ScheduleRow[]> {
  return db
    .selectFrom('agents.schedules')
    .selectAll()
    .where('group_id', '=', groupId)
    .where('agent_id', '=', agentId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function countSchedules(db: Db, groupId: string): Promise<number> {
  const { count } = await db
    .selectFrom('agents.schedules')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('group_id', '=', groupId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertSchedule(
  db: Db,
  row: Insertable<AgentTables['agents.schedules']>,
): Promise<ScheduleRow> {
  return db.insertInto('agents.schedules').values(row).returningAll().executeTakeFirstOrThrow()
}

interface Place {
  groupId: string
  agentId: string
  id: string
}

/** Changes of one schedule wait for each other until the transaction ends. */
export async function lockSchedule(
  db: Db,
  { groupId, agentId, id }: Place,
): Promise<ScheduleRow | undefined> {
  return db
    .selectFrom('agents.schedules')
    .selectAll()
    .where('group_id', '=', groupId)
    .where('agent_id', '=', agentId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function updateSchedule(db: Db, id: string, change: Change): Promise<ScheduleRow> {
  return db
    .updateTable('agents.schedules')
    .set({ ...change, updated_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Undefined: there is none. */
export async function deleteSchedule(
  db: Db,
  { groupId, agentId, id }: Place,
): Promise<ScheduleRow | undefined> {
  return db
    .deleteFrom('agents.schedules')
    .where('group_id', '=', groupId)
    .where('agent_id', '=', agentId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function listDue(db: Db): Promise<ScheduleRow[]> {
  return db
    .selectFrom('agents.schedules')
    .selectAll()
    .where('next_at', '<=', sql<Date>`now()`)
    .orderBy('next_at')
    .limit(50)
    .execute()
}

/** Only one process takes a time of a schedule. False: another one did, or somebody changed the schedule. */
export async function takeTime(
  db: Db,
  { id, next_at, updated_at }: ScheduleRow,
  change: Pick<Change, 'next_at' | 'enabled' | 'last_run_id' | 'last_error'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('agents.schedules')
    .set({ ...change, last_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('next_at', '=', next_at ?? new Date(0))
    .where('updated_at', '=', updated_at)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
