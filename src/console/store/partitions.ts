import type pg from 'pg'
import { inTransaction, lockUntilCommit } from '#kernel/db'
import { dayMs, lowestId, startOfDay, timeOfId } from '../event-id.ts'

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

/** Drops the tables of older days, and deletes what else is known of that time. */
export async function deleteBefore(pool: pg.Pool, limit: number, now: number): Promise<{ tables: number }> {
  return inTransaction(pool, async (client) => {
    // A dropped table waits for its readers, and all newcomers wait behind it. Better to try again in an hour.
    await client.query(`set local lock_timeout = '2s'`)
    const old = (await listDays(client)).filter(({ day }) => day < limit)
    for (const { table } of old) await client.query(`drop table ${table}`)
    await client.query('delete from console.sent_ids where event_id < $1', [lowestId(limit)])
    await client.query('delete from console.minutes where minute < $1', [new Date(limit)])
    await client.query('delete from console.hours where hour < $1', [
      new Date(Math.min(limit, now - hoursKeptDays * dayMs)),
    ])
    return { tables: old.length }
  })
}
