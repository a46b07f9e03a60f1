import type pg from 'pg'
import { inTransaction } from '#kernel/db'
import type { Units } from './units.ts'
import {
  insertRecount,
  keptMs,
  recountInMs,
  stepMs,
  stepOf,
  type TimeRange,
  type WindowKey,
} from './window-store.ts'

export interface Report {
  /** Counts up with each report; one that is sent again has the same number. */
  readonly number: number
  /** What was used since the report before, by when the requests ended. */
  readonly spent: readonly Spent[]
}

type Spent = readonly [endedFrom: number, amount: Units]

export interface LeaseState {
  readonly used: Units
  /** By other processes. */
  readonly leased: Units
  readonly isReached: boolean
}

export interface LeaseRequest extends WindowKey {
  readonly holder: string
  readonly report: Report
  readonly reserved: Units
  /** There was a lease before. Where it is gone, others took this process for dead, and the usage log counts. */
  readonly hadLease: boolean
  /** How much to hold from now on. */
  decide(state: LeaseState): Units
  /** The limit is reached from this amount on. */
  readonly amount: Units
  /** Ends the lease. */
  readonly isLast: boolean
  /** Asks the others to give back what they do not need. */
  readonly asksOthers: boolean
}

export interface LeaseResult extends LeaseState {
  readonly granted: Units
  /** This report is the one that reached the limit. */
  readonly hasReached: boolean
}

/** One statement for all that is written: each way to the database and back costs more than the writing. */
const writeWindow = `with written as (
    update limits.windows set used = $4, leased = $5, reached_at = case when $6 then coalesce(reached_at, now()) end
    where limit_id = $1 and starts_at = $2
  )`
const writeSpent = `noted as (
    insert into limits.spent as spent (limit_id, starts_at, ended_from, amount)
    select $1, $2, to_timestamp(ended / 1000.0), amount
    from unnest($7::bigint[], $8::numeric[]) as given (ended, amount) order by ended
    on conflict (limit_id, starts_at, ended_from) do update set amount = spent.amount + excluded.amount
  )`
const writeLease = `insert into limits.leases (limit_id, starts_at, holder, granted, reserved, report)
  values ($1, $2, $3, $9, $10, $11)
  on conflict (limit_id, starts_at, holder) do update
    set granted = excluded.granted, reserved = excluded.reserved, report = excluded.report`
const endLease = 'delete from limits.leases where limit_id = $1 and starts_at = $2 and holder = $3'

/** Undefined: the window has no row yet. One lock on the row of the window orders all who change it. */
export function exchangeLease(pool: pg.Pool, request: LeaseRequest): Promise<LeaseResult | undefined> {
  return inTransaction(pool, async (client) => {
    const { limitId, startsAt, holder, report, amount } = request
    const window = await client.query<WindowRow>({
      name: 'limits-window',
      text: `select used, leased, reached_at, counted_to from limits.windows
        where limit_id = $1 and starts_at = $2 for update`,
      values: [limitId, startsAt],
    })
    const row = window.rows[0]
    if (!row) return undefined
    const lease = await client.query<{ granted: string; report: string }>({
      name: 'limits-lease',
      text: 'select granted, report from limits.leases where limit_id = $1 and starts_at = $2 and holder = $3',
      values: [limitId, startsAt, holder],
    })
    const own = lease.rows[0]
    const isNew = own?.report !== String(report.number)
    const isLost = request.hadLease && !own
    const { spent, left } = split(isNew ? report.spent : [], isLost, row.counted_to)
    const used = spent.reduce((sum, [, units]) => sum + units, BigInt(row.used))
    const leased = BigInt(row.leased) - BigInt(own?.granted ?? 0)
    const wasReached = row.reached_at !== null
    const isReached = used >= amount
    const granted = request.isLast ? 0n : request.decide({ used, leased, isReached })
    const hasReached = isReached && !wasReached
    await client.query({
      name: request.isLast ? 'limits-end-lease' : 'limits-write-lease',
      text: `${writeWindow}, ${writeSpent} ${request.isLast ? endLease : writeLease}`,
      values: [
        ...[limitId, startsAt, holder, used, leased + granted, isReached],
        ...[spent.map(([ended]) => ended), spent.map(([, units]) => units)],
        ...(request.isLast ? [] : [granted, request.reserved, report.number]),
      ],
    })
    if (left.length > 0) await insertRecount(client, request, rangeOf(left, isLost))
    if (request.asksOthers) await client.query(`select pg_notify('limits_wanted', $1)`, [limitId])
    return { used, leased, isReached, granted, hasReached }
  })
}

interface WindowRow {
  used: string
  leased: string
  reached_at: Date | null
  counted_to: Date | null
}

/** What is added, and what is left to the usage log because the row of the window or a recount has it from there. */
function split(reported: readonly Spent[], isLost: boolean, countedTo: Date | null) {
  const isLeft = ([endedFrom]: Spent): boolean =>
    isLost || (countedTo !== null && endedFrom < countedTo.getTime())
  return { spent: reported.filter((each) => !isLeft(each)), left: reported.filter(isLeft) }
}

/** What was left for being old is over, and its rows are in the log or about to be. */
function rangeOf(left: readonly Spent[], isLost: boolean): TimeRange {
  const steps = left.map(([endedFrom]) => endedFrom)
  return {
    from: new Date(Math.max(stepOf(Date.now() - keptMs), Math.min(...steps))),
    to: new Date(Math.max(...steps) + stepMs),
    dueInMs: isLost ? recountInMs : 3_000,
  }
}
