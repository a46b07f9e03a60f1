import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { inTransaction } from '#kernel/db'
import type { Units } from './units.ts'

/** Requests are counted by when they ended, in steps of this length. */
export const stepMs = 10_000
export const stepOf = (at: number): number => Math.floor(at / stepMs) * stepMs
/**
 * So far back the row of a window has its use in steps, which can be counted again. Longer than outages last; the last
 * recount of a step comes a day later, and `deleteOld` leaves steps for two.
 */
export const keptMs = 12 * 3_600_000

/** By then what ended a moment ago is in the log. */
export const recountInMs = 20_000

/** A window of a limit. */
export interface WindowKey {
  readonly limitId: string
  readonly startsAt: Date
}

export interface Step {
  readonly from: Date
  readonly amount: Units
}

export interface NewWindow extends WindowKey {
  readonly endsAt: Date | null
  readonly used: Units
  /** Of `used`, what may have to be counted again. */
  readonly steps: readonly Step[]
  /** What ended before is counted, or will be by the recount: reports add nothing to it. */
  readonly countedTo: Date | null
}

/** Where another process was first its row stands. */
export function insertWindow(pool: pg.Pool, window: NewWindow, recount?: TimeRange): Promise<void> {
  return inTransaction(pool, async (client) => {
    const { limitId, startsAt, endsAt, used, steps, countedTo } = window
    const { rowCount } = await client.query(
      `insert into limits.windows (limit_id, starts_at, ends_at, used, counted_to)
       select $1, $2, $3, $4, $5 where exists (select from limits.limits where id = $1)
       on conflict (limit_id, starts_at) do nothing`,
      [limitId, startsAt, endsAt, used, countedTo],
    )
    if (rowCount !== 1) return
    await insertSteps(client, window, steps)
    if (recount) await insertRecount(client, window, recount)
  })
}

async function insertSteps(client: pg.ClientBase, key: WindowKey, steps: readonly Step[]): Promise<void> {
  if (steps.length === 0) return
  await client.query(
    `insert into limits.spent (limit_id, starts_at, ended_from, amount)
     select $1, $2, ended, amount from unnest($3::timestamptz[], $4::numeric[]) as given (ended, amount)`,
    [key.limitId, key.startsAt, steps.map(({ from }) => from), steps.map(({ amount }) => amount)],
  )
}

export interface TimeRange {
  readonly from: Date
  readonly to: Date
  readonly dueInMs: number
}

export async function insertRecount(
  client: pg.ClientBase,
  { limitId, startsAt }: WindowKey,
  { from, to, dueInMs }: TimeRange,
): Promise<void> {
  await client.query(
    `insert into limits.recounts (id, limit_id, starts_at, ended_from, ended_to, due_at)
     select $1, $2, $3, $4, $5, now() + $6 * interval '1 millisecond'
     where exists (select from limits.windows where limit_id = $2 and starts_at = $3)`,
    [randomUUID(), limitId, startsAt, from, to, dueInMs],
  )
}

export interface DueRecount extends WindowKey {
  readonly id: string
  readonly endsAt: Date | null
  readonly from: Date
  readonly to: Date
}

/** Again and again at longer distances: the journal of a process that ended may be read much later. */
const again = `case runs when 0 then interval '30 seconds' when 1 then interval '2 minutes'
  when 2 then interval '15 minutes' when 3 then interval '2 hours' else interval '1 day' end`
const lastRun = 5

/** Takes one that is due, so that no other process does it at the same time. */
export async function takeRecount(pool: pg.Pool): Promise<DueRecount | undefined> {
  const { rows } = await pool.query<DueRecount>(
    `with taken as (
       update limits.recounts set runs = runs + 1, due_at = now() + ${again}
       where id = (select id from limits.recounts where due_at <= now() order by due_at limit 1 for update skip locked)
       returning *
     ), over as (delete from limits.recounts where runs > ${lastRun} and due_at <= now())
     select t.id, t.limit_id as "limitId", t.starts_at as "startsAt", w.ends_at as "endsAt", t.ended_from as "from",
       t.ended_to as "to"
     from taken t join limits.windows w on w.limit_id = t.limit_id and w.starts_at = t.starts_at`,
  )
  return rows[0]
}

/** What the usage log says takes the place of what was reported for these times. */
export function replaceSteps(
  pool: pg.Pool,
  key: WindowKey,
  { from, to }: { from: Date; to: Date },
  steps: readonly Step[],
): Promise<void> {
  return inTransaction(pool, async (client) => {
    await client.query('select from limits.windows where limit_id = $1 and starts_at = $2 for update', [
      key.limitId,
      key.startsAt,
    ])
    const { rows } = await client.query<{ amount: string }>(
      `delete from limits.spent where limit_id = $1 and starts_at = $2 and ended_from >= $3 and ended_from < $4
       returning amount`,
      [key.limitId, key.startsAt, from, to],
    )
    const before = rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
    const now = steps.reduce((sum, { amount }) => sum + amount, 0n)
    await insertSteps(client, key, steps)
    await client.query(
      'update limits.windows set used = greatest(0, used + $3) where limit_id = $1 and starts_at = $2',
      [key.limitId, key.startsAt, now - before],
    )
  })
}

/** Windows that are over, and what nobody counts again any more. */
export async function deleteOld(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from limits.spent where ended_from < now() - interval '2 days'`)
  await pool.query(`delete from limits.windows where ends_at < now() - interval '3 days'`)
}
