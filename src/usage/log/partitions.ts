import type pg from 'pg'
import { inTransaction, lockUntilCommit } from '#kernel/db'
import { lowestId, timeOfId } from '#kernel/uuid'
import { dayMs, dayText, monthOf, nextMonth, startOfDay } from './id-time.ts'

/** A range of time that excludes its end. */
export interface Range {
  from: Date
  to: Date
}

export interface Partition extends Range {
  /** With its schema. */
  table: string
}

/** Above this many days to keep, a table a day would be too many; a month loses rows by deletion at its edge. */
const maxDailyTables = 400

/**
 * Makes the tables that hold the log from one moment to another, both included. Whatever widths there were before, the
 * new ones fill the gaps between them: ranges meet and never overlap.
 */
export async function ensurePartitions(
  pool: pg.Pool,
  from: Date,
  to: Date,
  retentionDays: number | undefined,
): Promise<void> {
  if (missingRanges(await listPartitions(pool), from, to, retentionDays).length === 0) return
  await inTransaction(pool, async (client) => {
    await lockUntilCommit(client, 'usage partitions')
    for (const range of missingRanges(await listPartitions(client), from, to, retentionDays))
      await create(client, range)
  })
}

/** The table for now and the one after it. */
export async function ensureUpcoming(
  pool: pg.Pool,
  now: Date,
  retentionDays: number | undefined,
): Promise<void> {
  await ensurePartitions(pool, now, periodOf(now, retentionDays).to, retentionDays)
}

/** The tables of the log, oldest first. */
export async function listPartitions(db: Pick<pg.ClientBase, 'query'>): Promise<Partition[]> {
  const { rows } = await db.query<{ table: string; bound: string }>(
    `select c.oid::regclass::text as "table", pg_get_expr(c.relpartbound, c.oid) as bound
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'usage.usage_logs'::regclass`,
  )
  return rows
    .map(({ table, bound }) => ({ table, ...readBound(bound) }))
    .toSorted((a, b) => a.from.getTime() - b.from.getTime())
}

function readBound(bound: string): Range {
  const [, from, to] = /^FOR VALUES FROM \('(.+)'\) TO \('(.+)'\)$/.exec(bound) ?? []
  if (!from || !to) throw new Error(`usage.usage_logs has a partition of another kind: ${bound}`)
  return { from: timeOfId(from), to: timeOfId(to) }
}

/** Pure: what is not covered between two moments, cut into periods and at the neighbours. */
export function missingRanges(
  present: readonly Range[],
  from: Date,
  to: Date,
  retentionDays: number | undefined,
): Range[] {
  const missing: Range[] = []
  for (let at = from; at <= to;) {
    const covering = present.find((range) => range.from <= at && at < range.to)
    const range = covering ?? gapAround(present, at, periodOf(at, retentionDays))
    if (!covering) missing.push(range)
    at = range.to
  }
  return missing
}

function gapAround(present: readonly Range[], at: Date, period: Range): Range {
  const before = present.filter((range) => range.to <= at).map((range) => range.to.getTime())
  const after = present.filter((range) => range.from > at).map((range) => range.from.getTime())
  return {
    from: new Date(Math.max(period.from.getTime(), ...before)),
    to: new Date(Math.min(period.to.getTime(), ...after)),
  }
}

function periodOf(at: Date, retentionDays: number | undefined): Range {
  const day = startOfDay(at)
  if (retentionDays !== undefined && retentionDays <= maxDailyTables)
    return { from: day, to: new Date(day.getTime() + dayMs) }
  return { from: monthOf(at), to: nextMonth(at) }
}

/**
 * Made apart and then attached: to make a partition in place would wait for everyone who reads the log, and hold up
 * everyone who comes after.
 */
async function create(client: pg.ClientBase, { from, to }: Range): Promise<void> {
  const table = `usage.usage_logs_${dayText(from).replaceAll('-', '')}`
  await client.query(
    `create table ${table} (like usage.usage_logs including defaults including constraints including storage)`,
  )
  await client.query(
    `alter table usage.usage_logs attach partition ${table}
     for values from ('${lowestId(from)}') to ('${lowestId(to)}')`,
  )
}
