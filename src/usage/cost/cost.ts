import type { CostLine } from '../contract.ts'
import type { LedgerRow, PriceRow } from '../row.ts'
import type { PriceTier } from '../tables.ts'
import {
  add,
  decimal,
  decimalOfNumber,
  isZero,
  movePoint,
  multiply,
  writeDecimal,
  zero,
  type Decimal,
} from '#kernel/decimal'

/** What a request is billed for, in the names of the ledger. */
export type Billed = Pick<
  LedgerRow,
  | 'prompt_tokens'
  | 'completion_tokens'
  | 'cached_tokens'
  | 'cache_write_tokens'
  | 'cache_write_long_tokens'
  | 'reasoning_tokens'
  | 'audio_input_tokens'
  | 'audio_output_tokens'
  | 'units'
  | 'usage_source'
  | 'status_code'
>

export interface Cost {
  /** They add up to the two costs, exactly. */
  parts: readonly CostPart[]
  input_cost: string
  output_cost: string
}

/** A line of the reckoning, its cost not yet text: the log wants the sums of every request, people few lines. */
export interface CostPart extends Omit<CostLine, 'cost'> {
  cost: Decimal
}

/** Null when it cannot be said: no price, or an answer of which nobody knows the tokens. Pure. */
export function costOf(billed: Billed, price: PriceRow | null): Cost | null {
  if (!price) return null
  // A request that failed and used nothing costs nothing; one that succeeded used something we do not know.
  if (billed.usage_source === 'none')
    return billed.status_code >= 400 ? { parts: [], input_cost: '0', output_cost: '0' } : null
  if (isBySecond(price) && !billed.units?.['audio_seconds']) return null
  const of = pricesFor(price, billed.prompt_tokens)
  const parts = [...inputParts(billed, price, of), ...outputParts(billed, price, of)]
  return { parts, input_cost: sumOf(parts, 'input'), output_cost: sumOf(parts, 'output') }
}

export function costLines({ parts }: Cost): CostLine[] {
  return parts.map((part) => ({ ...part, cost: writeDecimal(part.cost) }))
}

/** Priced by the second of audio and by nothing else: without the seconds there is no saying. */
function isBySecond(price: PriceRow): boolean {
  if (price.unit_prices?.['audio_seconds'] === undefined) return false
  return [price.input_price_per_1m, price.output_price_per_1m].every((each) => isZero(decimal(each)))
}

/** The parts of the prompt do not overlap: what has a price of its own is taken out of the rest. */
function inputParts(billed: Billed, price: PriceRow, of: TokenPrices): CostPart[] {
  const read = Math.min(billed.cached_tokens, billed.prompt_tokens)
  const written = Math.min(billed.cache_write_tokens, billed.prompt_tokens - read)
  const long = Math.min(billed.cache_write_long_tokens, written)
  const rest = billed.prompt_tokens - read - written
  // Providers do not say how much of the audio came from the cache, so it counts against the uncached part.
  const audio = price.audio_input_price_per_1m === null ? 0 : Math.min(billed.audio_input_tokens, rest)
  const parts: CostPart[] = []
  const tokens = (what: string, quantity: number, each: string): void =>
    addTokens(parts, 'input', what, quantity, each)
  tokens('Input', rest - audio, of.input)
  tokens('Audio input', audio, price.audio_input_price_per_1m ?? of.input)
  tokens('Cache read', read, of.cacheRead ?? of.input)
  tokens('Cache write', written - long, of.cacheWrite ?? of.input)
  tokens('Cache write, long lifetime', long, of.cacheWriteLong ?? of.cacheWrite ?? of.input)
  if (price.request_price !== null) parts.push(unitPart('Request', 1, 'request', price.request_price))
  if (price.unit_prices) parts.push(...unitParts(billed.units, price.unit_prices))
  return parts
}

function outputParts(billed: Billed, price: PriceRow, { output }: TokenPrices): CostPart[] {
  const audio =
    price.audio_output_price_per_1m === null
      ? 0
      : Math.min(billed.audio_output_tokens, billed.completion_tokens)
  const ofReasoning = price.unit_prices?.[reasoningUnit]
  const reasoning =
    ofReasoning === undefined ? 0 : Math.min(billed.reasoning_tokens, billed.completion_tokens - audio)
  const parts: CostPart[] = []
  const tokens = (what: string, quantity: number, each: string): void =>
    addTokens(parts, 'output', what, quantity, each)
  tokens('Output', billed.completion_tokens - audio - reasoning, output)
  tokens('Audio output', audio, price.audio_output_price_per_1m ?? output)
  if (ofReasoning !== undefined) tokens('Reasoning', reasoning, perMillion(ofReasoning))
  return parts
}

/** Reasoning is part of the output and costs the same; the few models where it does not have this unit price. */
export const reasoningUnit = 'reasoning_tokens'

function unitParts(units: Billed['units'], prices: Readonly<Record<string, string>>): CostPart[] {
  return Object.entries(prices).flatMap(([unit, each]) => {
    const quantity = Object.hasOwn(units ?? {}, unit) ? (units?.[unit] ?? 0) : 0
    return quantity > 0 && unit !== reasoningUnit ? [unitPart(nameOf(unit), quantity, unit, each)] : []
  })
}

interface TokenPrices {
  input: string
  output: string
  cacheRead: string | null
  cacheWrite: string | null
  cacheWriteLong: string | null
}

/** A tier holds for the whole request when it has more input tokens than the tier says; the highest one wins. */
function pricesFor(price: PriceRow, promptTokens: number): TokenPrices {
  const of = price.tiers === null ? price : withTiers(price, price.tiers, promptTokens)
  return {
    input: of.input_price_per_1m,
    output: of.output_price_per_1m,
    cacheRead: of.cache_read_price_per_1m,
    cacheWrite: of.cache_write_price_per_1m,
    cacheWriteLong: of.cache_write_long_price_per_1m,
  }
}

function withTiers(price: PriceRow, tiers: readonly PriceTier[], promptTokens: number): PriceRow {
  return tiers
    .filter((tier) => promptTokens > tier.above_tokens)
    .toSorted((a, b) => a.above_tokens - b.above_tokens)
    .reduce<PriceRow>((prices, tier) => ({ ...prices, ...tier }), price)
}

function addTokens(
  parts: CostPart[],
  side: CostPart['side'],
  what: string,
  tokens: number,
  price: string,
): void {
  if (tokens <= 0) return
  const { digits, places } = decimal(price)
  const cost = { digits: digits * BigInt(tokens), places: places + 6 }
  parts.push({ side, what, quantity: tokens, unit: 'tokens', price, cost })
}

function unitPart(what: string, quantity: number, unit: string, price: string): CostPart {
  const cost = multiply(decimal(price), decimalOfNumber(quantity))
  return { side: 'input', what, quantity, unit, price, cost }
}

function sumOf(parts: readonly CostPart[], side: CostPart['side']): string {
  let sum = zero
  for (const part of parts) if (part.side === side) sum = add(sum, part.cost)
  return writeDecimal(sum)
}

const perMillion = (price: string): string => writeDecimal(movePoint(decimal(price), -6))

/** `web_search` → "Web search" */
const nameOf = (unit: string): string => {
  const words = unit.replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
