import type pg from 'pg'
import { inTransaction, lockUntilCommit } from '#kernel/db'
import { lowestId, timeOfId } from '#kernel/uuid'
import { dayMs, startOfDay } from '../event-id.ts'

/** Statistics of up to a year are read by hour; nothing else needs sums of that age. */
const hoursKeptDays = 367

/** Makes the tables, one per day, that events of these times need. */
export async function ensureDays(pool: pg.Pool, times: readonly number[]): Promise<void> {
  const days = [...new Set(times.map(startOfDay))]
  const known = new Set((await listDays(pool)).map(({ day }) => day))
  if (days.every((day) => known.has(day))) return
  await inTransaction(pool, async (client) => {
    await lockUntilCommit(client, 'console partitions')
    const present = new Set((await listDays(client)).map(({ day }) => day))
    for (const day of days) if (!present.has(day)) await create(client, day)
  })
}

interface Day {
  table: string
  /** Its first millisecond. */
  day: number
}

async function listDays(db: Pick<pg.ClientBase, 'query'>): Promise<Day[]> {
  const { rows } = await db.query<{ table: string; bound: string }>(
    `select c.oid::regclass::text as "table", pg_get_expr(c.relpartbound, c.oid) as bound
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'console.events'::regclass`,
  )
  return rows.map(({ table, bound }) => ({
    table,
    day: timeOfId(/FROM \('([^']+)'\)/.exec(bound)?.[1] ?? '').getTime(),
  }))
}

/**
 * Made apart and then attached: to make a partition in place would wait for everyone who reads events, and hold up
 * everyone who comes after.
 */
async function create(client: pg.ClientBase, day: number): Promise<void> {
  const table = `console.events_${new Date(day).toISOString().slice(0, 10).replaceAll('-', '')}`
  await client.query(
    `create table ${table} (like console.events including defaults including constraints including generated
       including storage)`,
  )
  await client.query(
    `alter table console.events attach partition ${table}
     for values from ('${lowestId(day)}') to ('${lowestId(day + dayMs)}')`,
  )
}

/** The first moment that is kept. */
export function keptFrom(now: number, retentionDays: number): number {
  return startOfDay(now) - retentionDays * dayMs
}

/** Rows per statement: none may take as long as a connection may be silent. */
const portion = 50_000

/**
 * Deletes what is known of older days beside the events, then drops their tables, each in a transaction of its own: the
 * table of all days is locked meanwhile, so nothing else is done under that lock.
 */
export async function deleteBefore(pool: pg.Pool, limit: number, now: number): Promise<{ tables: number }> {
  const hours = Math.min(limit, now - hoursKeptDays * dayMs)
  await deleteRows(pool, 'console.sent_ids', 'event_id', lowestId(limit))
  await deleteRows(pool, 'console.minutes', 'minute', new Date(limit))
  await deleteRows(pool, 'console.hours', 'hour', new Date(hours))
  const old = (await listDays(pool)).filter(({ day }) => day < limit)
  for (const { table } of old)
    await inTransaction(pool, async (client) => {
      // A dropped table waits for its readers, and all newcomers wait behind it. Better to try again in an hour.
      await client.query(`set local lock_timeout = '2s'`)
      await client.query(`drop table ${table}`)
    })
  return { tables: old.length }
}

async function deleteRows(
  pool: pg.Pool,
  table: string,
  column: string,
  before: string | Date,
): Promise<void> {
  let deleted: number
  do {
    const { rowCount } = await pool.query(
      `delete from ${table} where ctid = any (array(select ctid from ${table} where ${column} < $1 limit ${portion}))`,
      [before],
    )
    deleted = rowCount ?? 0
  } while (deleted === portion)
}
