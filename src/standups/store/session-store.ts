import { sql, type Insertable } from 'kysely'
import { olderThan, type Place } from '#kernel/paging'
import type { Db, DbTransaction, Invited, Queries, SessionRow, StandupTables } from '../tables.ts'

type Table = StandupTables['standups.sessions']

/** How long a process may be silent before its work counts as dead. */
const leaseSeconds = 15

/** Undefined: the initiative has an open session. */
export async function insertSession(db: Queries, values: Insertable<Table>): Promise<SessionRow | undefined> {
  return db
    .insertInto('standups.sessions')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function findOpen(db: Queries, initiativeId: string): Promise<SessionRow | undefined> {
  return db
    .selectFrom('standups.sessions')
    .selectAll()
    .where('initiative_id', '=', initiativeId)
    .where('status', '=', 'open')
    .executeTakeFirst()
}

export async function findLast(db: Queries, initiativeId: string): Promise<SessionRow | undefined> {
  return db
    .selectFrom('standups.sessions')
    .selectAll()
    .where('initiative_id', '=', initiativeId)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function findSession(
  db: Queries,
  initiativeId: string,
  id: string,
): Promise<SessionRow | undefined> {
  return db
    .selectFrom('standups.sessions')
    .selectAll()
    .where('initiative_id', '=', initiativeId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function setInvited(db: DbTransaction, id: string, invited: readonly Invited[]): Promise<void> {
  await db
    .updateTable('standups.sessions')
    .set({ invited: JSON.stringify(invited) })
    .where('id', '=', id)
    .execute()
}

/** Newest first, from the one after the cursor. */
export async function listSessions(
  db: Queries,
  initiativeId: string,
  { after, limit }: { after: Place | undefined; limit: number },
): Promise<SessionRow[]> {
  let rows = db
    .selectFrom('standups.sessions')
    .selectAll()
    .where('initiative_id', '=', initiativeId)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (after) rows = rows.where(olderThan('started_at', 'id', after))
  return rows.execute()
}

/** When the last of each initiative's stand-ups started. */
export async function lastStarts(
  db: Queries,
  initiativeIds: readonly string[],
): Promise<{ initiative_id: string; at: Date }[]> {
  const { rows } = await sql<{ initiative_id: string; at: Date }>`
    select initiative_id, max(started_at) as at from standups.sessions
    where initiative_id = any(${initiativeIds}::uuid[]) group by 1`.execute(db)
  return rows
}

/** When the newest stand-up that is over ended. */
export async function lastEnd(db: Queries, initiativeId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(ended_at) as at from standups.sessions
    where initiative_id = ${initiativeId} and status = 'ended'`.execute(db)
  return rows[0]?.at ?? null
}

/** The newest first. */
export async function sessionStarts(
  db: Queries,
  initiativeId: string,
): Promise<{ id: string; started_at: Date }[]> {
  return db
    .selectFrom('standups.sessions')
    .select(['id', 'started_at'])
    .where('initiative_id', '=', initiativeId)
    .orderBy('started_at', 'desc')
    .limit(10_000)
    .execute()
}

/** Other writers of the session wait until the transaction ends. */
export async function lockSession(db: DbTransaction, id: string): Promise<LockedSession | undefined> {
  return db
    .selectFrom('standups.sessions')
    .selectAll()
    .select(sql<boolean>`coalesce(work_until < now(), false)`.as('is_abandoned'))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** False: it was deleted, with its initiative or its group. */
export async function isThere(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select 1 from standups.sessions where id = ${id}`.execute(db)
  return rows.length === 1
}

export interface LockedSession extends SessionRow {
  /** The process that works on it has died. */
  is_abandoned: boolean
}

/** Nobody works on the session. The caller holds its lock. */
export async function clearWork(db: DbTransaction, id: string): Promise<void> {
  await db
    .updateTable('standups.sessions')
    .set({ work: null, work_id: null, work_until: null })
    .where('id', '=', id)
    .execute()
}

/** A person said something. */
export async function noteMessage(db: DbTransaction, id: string): Promise<void> {
  await sql`update standups.sessions
    set is_waiting = true, message_count = message_count + 1, last_activity_at = now() where id = ${id}`.execute(
    db,
  )
}

export async function noteActivity(db: DbTransaction, id: string): Promise<void> {
  await sql`update standups.sessions set last_activity_at = now() where id = ${id}`.execute(db)
}

/** The session for one turn of the agent; undefined where none waits, or another process has it. */
export async function claimTurn(db: Db, id: string, workId: string): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`
    update standups.sessions set is_waiting = false, work = 'turn', work_id = ${workId},
      work_until = now() + make_interval(secs => ${leaseSeconds})
    where id = ${id} and status = 'open' and is_waiting and work is null
    returning *`.execute(db)
  return rows[0]
}

/** False: the session was taken away. */
export async function renewWork(db: Db, id: string, workId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update standups.sessions set work_until = now() + make_interval(secs => ${leaseSeconds})
    where id = ${id} and work_id = ${workId}`.execute(db)
  return numAffectedRows === 1n
}

/** Takes the session away from a running turn. The caller holds its lock. */
export async function takeForEnd(db: DbTransaction, id: string, workId: string): Promise<void> {
  await sql`update standups.sessions set work = 'end', work_id = ${workId}, is_waiting = false,
      work_until = now() + make_interval(secs => ${leaseSeconds}) where id = ${id}`.execute(db)
}

export async function setEnded(db: DbTransaction, id: string, reason: 'person' | 'idle'): Promise<void> {
  await sql`update standups.sessions set status = 'ended', ended_at = now(), ended_reason = ${reason},
      last_activity_at = now(), is_waiting = false, work = null, work_id = null, work_until = null
    where id = ${id}`.execute(db)
}

/** Open sessions whose process has died in the middle of its work. */
export async function abandoned(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from standups.sessions where status = 'open' and work_until < now() limit 100`.execute(db)
  return rows.map(({ id }) => id)
}

/** Open sessions in which somebody waits for the agent. */
export async function waiting(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from standups.sessions where status = 'open' and is_waiting and work is null limit 100`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Open sessions in which nobody has said anything for so long. */
export async function idle(db: Db, hours: number): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select * from standups.sessions
    where status = 'open' and work is null and last_activity_at < now() - make_interval(hours => ${hours})
    order by last_activity_at limit 100`.execute(db)
  return rows
}

/** Whether it still is. The caller holds its lock. */
export async function isIdle(db: DbTransaction, id: string, hours: number): Promise<boolean> {
  const { rows } = await sql`
    select from standups.sessions
    where id = ${id} and work is null and last_activity_at < now() - make_interval(hours => ${hours})`.execute(
    db,
  )
  return rows.length > 0
}

/** Reaches the process that runs the turn. */
export async function announceInterrupt(db: Db, id: string): Promise<void> {
  await sql`select pg_notify('standup_interrupts', ${id})`.execute(db)
}
