import type { Kysely } from 'kysely'
import type { PriceRow } from '../row.ts'
import type { LedgerAttempt, UsageTables } from '../tables.ts'
import { tokensOf, totalCosts } from './attempts.ts'
import { calculateCost, type Billed, type Cost } from './cost.ts'
import { add, decimal, isZero, subtract, writeDecimal, zero, type Decimal } from '#kernel/decimal'
import type { PriceSources } from './built-in.ts'
import { createPriceLookup } from './price-lookup.ts'
import { insertBuiltIn, listAllPrices } from './price-store.ts'
import { PriceTable } from './price-table.ts'
import {
  changeSums,
  groupsWithRequests,
  nextRows,
  writeCosts,
  type Period,
  type PricedRow,
  type SumChange,
} from './reprice-store.ts'

export interface RepriceOptions extends Period {
  model?: string
  /** Without it, those of every group. */
  groupId?: string
  /** False: costs are calculated and reported, but not changed. */
  apply: boolean
}

export interface RepricedModel {
  model: string
  rows: number
  /** Rows whose cost changes. */
  changed: number
  /** Null while none of the rows has a known price. */
  old_cost: string | null
  new_cost: string | null
  difference: string
}

interface Change {
  row: PricedRow
  /** Those it was calculated by. */
  prices: readonly PriceRow[]
  price_id: string | null
  cost: Pick<Cost, 'input_cost' | 'output_cost'>
  attempts: readonly LedgerAttempt[] | null
}

const batchSize = 2_000

/**
 * Recalculates the costs of a period by the prices that are known for it now. A row whose price is no longer known keeps
 * its cost.
 */
export async function reprice(
  db: Kysely<UsageTables>,
  sources: PriceSources,
  options: RepriceOptions,
): Promise<RepricedModel[]> {
  const table = new PriceTable(await listAllPrices(db))
  const look = createPriceLookup(sources)
  const report = new Map<string, Tally>()

  const changeOf = (row: PricedRow): Change | null => {
    // Nothing was used, or nobody knows what: no price changes that.
    if (row.usage_source === 'none') return null
    const priceOf = ({ provider, model }: Pick<PricedRow, 'provider' | 'model'>): PriceRow | null =>
      look(table, row.group_id, provider, model, row.started_at)?.row ?? null
    const change = row.attempts ? repriceAttempts(row, row.attempts, priceOf) : repriceRow(row, priceOf(row))
    return change && differs(row, change.cost) ? change : null
  }

  async function next(
    on: Kysely<UsageTables>,
    groupId: string,
    after: string | undefined,
  ): Promise<PricedRow[]> {
    const rows = await nextRows(
      on,
      { ...options, groupId, model: options.model, after },
      options.apply,
      batchSize,
    )
    const changes = rows.map((row) => changeOf(row))
    if (options.apply)
      await write(
        on,
        groupId,
        changes.filter((change) => change !== null),
      )
    for (const [index, row] of rows.entries()) tally(report, row, changes[index] ?? null)
    return rows
  }

  const groups = options.groupId === undefined ? await groupsWithRequests(db, options) : [options.groupId]
  for (const groupId of groups) {
    for (let after: string | undefined, isMore = true; isMore;) {
      const rows = options.apply
        ? await db.transaction().execute((transaction) => next(transaction, groupId, after))
        : await next(db, groupId, after)
      after = rows.at(-1)?.id
      isMore = rows.length === batchSize
    }
  }
  return [...report.entries()].map(toReport).toSorted((a, b) => (a.model < b.model ? -1 : 1))
}

function repriceRow(row: PricedRow, price: PriceRow | null): Change | null {
  const cost = price ? calculateCost(toBilled(row), price) : null
  return price && cost && { row, prices: [price], price_id: idOf(price, cost), cost, attempts: null }
}

/** Each call by the price of its own model. */
function repriceAttempts(
  row: PricedRow,
  attempts: readonly LedgerAttempt[],
  priceOf: (attempt: LedgerAttempt) => PriceRow | null,
): Change | null {
  const prices: PriceRow[] = []
  const repriced = attempts.map((attempt) => {
    const price = attempt.usage_source === 'none' ? null : priceOf(attempt)
    const billed = { ...tokensOf(attempt), usage_source: attempt.usage_source, status_code: 200 }
    const cost = price ? calculateCost(billed, price) : null
    if (!price || !cost) return attempt
    prices.push(price)
    const { input_cost, output_cost } = cost
    return { ...attempt, price_id: idOf(price, cost), input_cost, output_cost }
  })
  const { input_cost, output_cost } = totalCosts(repriced)
  if (input_cost === null || output_cost === null) return null
  const price_id = repriced.at(-1)?.price_id ?? null
  return { row, prices, price_id, cost: { input_cost, output_cost }, attempts: repriced }
}

const idOf = (price: PriceRow, { usesPrice }: Cost): string | null => (usesPrice ? price.id : null)

/** Rows, their hours and (by a trigger) their days change together or not at all. */
async function write(db: Kysely<UsageTables>, groupId: string, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return
  const builtIn = changes.flatMap(({ prices }) => prices).filter((price) => price.source === 'built_in')
  await insertBuiltIn(db, [...new Map(builtIn.map((price) => [price.id, price])).values()])
  const costs = changes.map(({ row, price_id, cost, attempts }) => ({
    id: row.id,
    price_id,
    input_cost: cost.input_cost,
    output_cost: cost.output_cost,
    attempts,
  }))
  // The sums by hour first, as when rows are inserted: two writers never wait for each other in a circle.
  await changeSums(db, sumChanges(changes))
  await writeCosts(db, groupId, costs)
}

function sumChanges(changes: readonly Change[]): SumChange[] {
  const sums = new Map<string, SumChange>()
  for (const { row, cost } of changes) {
    const key = {
      group_id: row.group_id,
      hour: new Date(Math.floor(row.started_at.getTime() / 3_600_000) * 3_600_000).toISOString(),
      api_key_id: row.api_key_id,
      provider: row.provider,
      model: row.model,
      is_error: row.status_code >= 400,
    }
    const name = JSON.stringify(Object.values(key))
    const known = sums.get(name)
    sums.set(name, {
      ...key,
      newly_priced: (known?.newly_priced ?? 0) + (row.input_cost === null ? 1 : 0),
      input_cost: addDifference(known?.input_cost, row.input_cost, cost.input_cost),
      output_cost: addDifference(known?.output_cost, row.output_cost, cost.output_cost),
    })
  }
  return [...sums.values()]
}

/** Adds the difference of two costs to a sum of differences. */
const addDifference = (sum: string | undefined, old: string | null, now: string): string =>
  writeDecimal(add(decimal(sum ?? '0'), subtract(decimal(now), decimal(old ?? '0'))))

function differs(row: PricedRow, cost: Change['cost']): boolean {
  if (row.input_cost === null || row.output_cost === null) return true
  const isEqual = (old: string, now: string): boolean => isZero(subtract(decimal(old), decimal(now)))
  return !isEqual(row.input_cost, cost.input_cost) || !isEqual(row.output_cost, cost.output_cost)
}

interface Tally {
  rows: number
  changed: number
  old: Decimal | null
  now: Decimal | null
}

function tally(report: Map<string, Tally>, row: PricedRow, change: Change | null): void {
  const known = report.get(row.model) ?? { rows: 0, changed: 0, old: null, now: null }
  const old = totalOf(row)
  const now = change ? totalOf(change.cost) : old
  report.set(row.model, {
    rows: known.rows + 1,
    changed: known.changed + (change ? 1 : 0),
    old: old ? add(known.old ?? zero, old) : known.old,
    now: now ? add(known.now ?? zero, now) : known.now,
  })
}

function totalOf(costs: { input_cost: string | null; output_cost: string | null }): Decimal | null {
  if (costs.input_cost === null || costs.output_cost === null) return null
  return add(decimal(costs.input_cost), decimal(costs.output_cost))
}

function toReport([model, { rows, changed, old, now }]: [string, Tally]): RepricedModel {
  return {
    model,
    rows,
    changed,
    old_cost: old && writeDecimal(old),
    new_cost: now && writeDecimal(now),
    difference: writeDecimal(subtract(now ?? zero, old ?? zero)),
  }
}

/** Converts a stored row: the database returns counts as strings. */
function toBilled(row: PricedRow): Billed {
  return {
    prompt_tokens: Number(row.prompt_tokens),
    completion_tokens: Number(row.completion_tokens),
    cached_tokens: Number(row.cached_tokens),
    cache_write_tokens: Number(row.cache_write_tokens),
    cache_write_long_tokens: Number(row.cache_write_long_tokens),
    reasoning_tokens: Number(row.reasoning_tokens),
    audio_input_tokens: Number(row.audio_input_tokens),
    audio_output_tokens: Number(row.audio_output_tokens),
    units: row.units,
    usage_source: row.usage_source,
    status_code: row.status_code,
  }
}
