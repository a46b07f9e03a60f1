import type { Attempt } from '#gateway'
import { add, decimal, writeDecimal } from '#kernel/decimal'
import type { Settled } from '../ledger/records.ts'
import type { LedgerRow, PriceRow } from '../row.ts'
import type { BilledTokens, LedgerAttempt } from '../tables.ts'
import { billedFor, milliseconds, statedCost } from './billed.ts'
import { calculateCost } from './cost.ts'
import { isoTime } from './iso-time.ts'
import type { PriceCatalog } from './price-catalog.ts'
import { storableText } from './storable.ts'

/** A request makes ten calls at most; what it passed over comes on top. */
const maxAttempts = 32

/** What a call used and cost. */
type Figures = BilledTokens & Pick<LedgerAttempt, 'usage_source' | 'price_id' | 'input_cost' | 'output_cost'>

/** The row of a request with every call that it made: tokens and costs are the sums of what was billed. */
export function withAttempts(
  row: LedgerRow,
  { entry, outcome, isInterrupted = false }: Settled,
  prices: Pick<PriceCatalog, 'priceFor'>,
): LedgerRow {
  const given = bounded(outcome.attempts ?? [])
  const count = given.filter(({ isSkipped }) => isSkipped !== true).length
  if (given.length === 0) return { ...row, attempt_count: 0 }
  // What an interrupted request used after these is unknown, and so is its cost.
  const last = isInterrupted ? undefined : given.at(-1)
  const newPrices = new Map(row.new_prices.map((price) => [price.id, price]))
  const attempts = given.map((attempt) => {
    if (attempt === last) return toStored(attempt, row)
    const { figures, newPrice } = priceAttempt(attempt, entry, prices)
    if (newPrice) newPrices.set(newPrice.id, newPrice)
    return toStored(attempt, figures)
  })
  const all = { ...row, attempts, attempt_count: count, new_prices: [...newPrices.values()] }
  if (isInterrupted) return all
  return { ...all, ...totalTokens(attempts), ...totalCosts(attempts), stated_cost: totalStated(given) }
}

function bounded(attempts: readonly Attempt[]): readonly Attempt[] {
  return attempts.length <= maxAttempts
    ? attempts
    : [...attempts.slice(0, maxAttempts - 1), ...attempts.slice(-1)]
}

/** By the price of its own model, in force when the request started. */
function priceAttempt(
  attempt: Attempt,
  { groupId, startedAt }: Settled['entry'],
  prices: Pick<PriceCatalog, 'priceFor'>,
): { figures: Figures; newPrice: PriceRow | null } {
  const price = prices.priceFor(groupId, attempt.provider, storableText(attempt.model, 300), startedAt)
  const billed = billedFor({ usage: attempt.usage, statusCode: statusOf(attempt) }, undefined)
  const cost = calculateCost(billed, price?.row ?? null)
  const used = cost?.usesPrice ? price : null
  const { status_code: _, ...tokens } = billed
  const costs = { input_cost: cost?.input_cost ?? null, output_cost: cost?.output_cost ?? null }
  return {
    figures: { ...tokens, ...costs, price_id: used?.row.id ?? null },
    newPrice: used && !used.isStored ? used.row : null,
  }
}

/** Without a response, a call that was waited for in vain may be charged; one that did not get through is not. */
function statusOf({ statusCode, errorCode }: Attempt): number {
  return statusCode ?? (errorCode?.includes('timeout') ? 504 : 502)
}

function toStored(attempt: Attempt, figures: Figures): LedgerAttempt {
  return {
    provider: attempt.provider,
    provider_key_id: attempt.providerKeyId,
    model: storableText(attempt.model, 300),
    status_code: attempt.statusCode,
    error_code: attempt.errorCode === null ? null : storableText(attempt.errorCode, 100),
    started_at: isoTime(attempt.startedAt.getTime()),
    duration_ms: milliseconds(attempt.durationMs),
    usage_source: figures.usage_source,
    price_id: figures.price_id,
    input_cost: figures.input_cost,
    output_cost: figures.output_cost,
    ...Object.fromEntries(
      tokenNames.filter((name) => figures[name] > 0).map((name) => [name, figures[name]]),
    ),
    ...(figures.units && { units: figures.units }),
  }
}

const tokenNames = [
  ...(['prompt_tokens', 'completion_tokens', 'cached_tokens', 'cache_write_tokens'] as const),
  ...(['cache_write_long_tokens', 'reasoning_tokens', 'audio_input_tokens', 'audio_output_tokens'] as const),
]

/** A stored call with the zeros that were left out. */
export function tokensOf(attempt: LedgerAttempt): BilledTokens {
  return { ...noTokens, units: null, ...attempt }
}

const noTokens = Object.fromEntries(tokenNames.map((name) => [name, 0])) as Omit<BilledTokens, 'units'>

function totalTokens(attempts: readonly LedgerAttempt[]): BilledTokens & Pick<LedgerRow, 'usage_source'> {
  const sums = tokenNames.map((name) => [name, attempts.reduce((sum, each) => sum + (each[name] ?? 0), 0)])
  const sources = new Set(attempts.map((attempt) => attempt.usage_source))
  return {
    ...(Object.fromEntries(sums) as Omit<BilledTokens, 'units'>),
    units: totalUnits(attempts),
    usage_source: (['estimated', 'provider'] as const).find((source) => sources.has(source)) ?? 'none',
  }
}

function totalUnits(attempts: readonly LedgerAttempt[]): Record<string, number> | null {
  const sums = new Map<string, number>()
  for (const { units } of attempts)
    for (const [unit, quantity] of Object.entries(units ?? {}))
      sums.set(unit, (sums.get(unit) ?? 0) + quantity)
  return sums.size === 0 ? null : Object.fromEntries(sums)
}

/** The sum of what is known to have been billed; null while it is unknown what the last call, which answered, cost. */
export function totalCosts(
  attempts: readonly LedgerAttempt[],
): Pick<LedgerAttempt, 'input_cost' | 'output_cost'> {
  const last = attempts.at(-1)
  if (!last || last.input_cost === null || last.output_cost === null)
    return { input_cost: null, output_cost: null }
  return {
    input_cost: sumOf(attempts.map((attempt) => attempt.input_cost)),
    output_cost: sumOf(attempts.map((attempt) => attempt.output_cost)),
  }
}

function totalStated(attempts: readonly Attempt[]): string | null {
  const stated = attempts.map(({ usage }) => statedCost(usage)).filter((cost) => cost !== null)
  return stated.length === 0 ? null : sumOf(stated)
}

const sumOf = (costs: readonly (string | null)[]): string =>
  writeDecimal(costs.map((cost) => decimal(cost ?? '0')).reduce(add))
