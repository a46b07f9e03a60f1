import { add, decimal, writeDecimal, zero, type Decimal } from '#kernel/decimal'
import { memberNames } from '../cost/member-store.ts'
import { reasons, type Part, type Statement, type StatementSums } from '../shapes/statement.ts'
import type { Db } from '../tables.ts'
import type { Counter } from './counter.ts'
import { daysIn, type GivenDays, spanOf } from './days.ts'
import { boundsOf, readSides, type GatewaySum, type TranscriptSum } from './read-store.ts'

/** Tokens of one model. */
export type Tokens = Pick<
  TranscriptSum,
  'input_tokens' | 'cached_tokens' | 'cache_write_tokens' | 'output_tokens'
>

export interface StatementDeps {
  db: Db
  counter: Pick<Counter, 'caughtUp'>
  /** Requests that have ended are in the usage log. */
  ledgerCaughtUp(): Promise<void>
  /** Null: the group has chosen none. */
  timeZone(groupId: string): Promise<string | null>
  /** What tokens cost by the list prices at a time; null where no price of the model is known. */
  listCosts(
    groupId: string,
    since: Date,
  ): Promise<(model: string, at: Date, tokens: Tokens) => { cost: string } | null>
  /** The log has no requests of before, so that every response would seem to be past the gateway. */
  logKeptFrom(): Date | null
}

type Estimate = TranscriptSum & { cost: Decimal | null }

/** What the usage log and the transcripts of a period have in common, and what only one of them has. */
export function createStatement(deps: StatementDeps) {
  const { db, counter, ledgerCaughtUp, timeZone, listCosts } = deps

  return async function statement(groupId: string, given: GivenDays): Promise<Statement> {
    const days = await spanOf(db, given, await timeZone(groupId))
    const bounds = await boundsOf(db, days)
    await ledgerCaughtUp()
    await counter.caughtUp(groupId, { from: bounds.first, to: bounds.last })
    const { gateway, transcripts, isComplete } = await readSides(db, groupId, bounds, days.timeZone)
    const costOf = await listCosts(groupId, bounds.first)
    const kept = deps.logKeptFrom()?.toISOString().slice(0, 10) ?? ''
    const estimates = transcripts
      .filter(({ date }) => date >= kept)
      .map((sum): Estimate => {
        const found = costOf(sum.model, endOf(sum.quarter), sum)
        return { ...sum, cost: found && decimal(found.cost) }
      })
    return {
      ...{ from: days.from, to: days.to, time_zone: days.timeZone },
      totals: { ...sumsOf(gateway, estimates), ...countsOf(gateway, estimates) },
      gateway_only_reasons: byReason(gateway),
      days: byDay(daysIn(days), gateway, estimates),
      people: await byPerson(db, groupId, gateway, estimates),
      is_complete: isComplete,
    }
  }
}

/** A price that was set within a quarter of an hour holds for all of it. */
const endOf = (quarter: Date): Date => new Date(quarter.getTime() + 15 * 60_000 - 1)

const sum = (rows: readonly { cost: string | Decimal | null }[]): string =>
  writeDecimal(
    rows.reduce(
      (total, { cost }) =>
        cost === null ? total : add(total, typeof cost === 'string' ? decimal(cost) : cost),
      zero,
    ),
  )

const counted = <Row>(rows: readonly Row[], countIn: (row: Row) => number): number =>
  rows.reduce((total, row) => total + countIn(row), 0)

function sumsOf(gateway: readonly GatewaySum[], estimates: readonly Estimate[]): StatementSums {
  return {
    gateway: sum(gateway),
    in_both: sum(gateway.filter(({ part }) => part === 'in_both')),
    gateway_only: sum(gateway.filter(({ part }) => part !== 'in_both')),
    transcripts_only_estimated: sum(estimates),
  }
}

function countsOf(gateway: readonly GatewaySum[], estimates: readonly Estimate[]) {
  return {
    requests: counted(gateway, ({ requests }) => requests),
    responses_past_gateway: counted(estimates, ({ responses }) => responses),
    unpriced_responses: counted(estimates, ({ responses, cost }) => (cost === null ? responses : 0)),
  }
}

function byReason(gateway: readonly GatewaySum[]): Statement['gateway_only_reasons'] {
  const byPart = Map.groupBy(gateway, ({ part }): Part => part)
  const all = reasons.map((reason) => {
    const rows = byPart.get(reason) ?? []
    return [reason, { requests: counted(rows, ({ requests }) => requests), cost: sum(rows) }] as const
  })
  return Object.fromEntries(all) as Statement['gateway_only_reasons']
}

function byDay(
  dates: readonly string[],
  gateway: readonly GatewaySum[],
  estimates: readonly Estimate[],
): Statement['days'] {
  const [requests, responses] = [
    Map.groupBy(gateway, ({ date }) => date),
    Map.groupBy(estimates, ({ date }) => date),
  ]
  return dates.map((date) => ({ date, ...sumsOf(requests.get(date) ?? [], responses.get(date) ?? []) }))
}

async function byPerson(
  db: Db,
  groupId: string,
  gateway: readonly GatewaySum[],
  estimates: readonly Estimate[],
): Promise<Statement['people']> {
  const [requests, responses] = [
    Map.groupBy(gateway, ({ person }) => person),
    Map.groupBy(estimates, ({ person }) => person),
  ]
  const ids = [...new Set([...requests.keys(), ...responses.keys()])]
  const names = await memberNames(
    db,
    groupId,
    ids.filter((id) => id !== null),
  )
  const cost = (row: StatementSums): number => Number(row.gateway) + Number(row.transcripts_only_estimated)
  return ids
    .map((id) => ({
      id,
      name: id === null ? null : (names.get(id) ?? null),
      ...sumsOf(requests.get(id) ?? [], responses.get(id) ?? []),
    }))
    .toSorted((a, b) => cost(b) - cost(a) || ((a.id ?? '') < (b.id ?? '') ? -1 : 1))
}

export type ShowStatement = ReturnType<typeof createStatement>
