import type { CostLine } from '../contract.ts'
import type { LedgerRow, PriceRow } from '../row.ts'
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
} from './money.ts'

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
  lines: CostLine[]
  input_cost: string
  output_cost: string
}

/** Null when it cannot be said: no price, or an answer of which nobody knows the tokens. Pure. */
export function costOf(billed: Billed, price: PriceRow | null): Cost | null {
  if (!price) return null
  // A request that failed and used nothing costs nothing; one that succeeded used something we do not know.
  if (billed.usage_source === 'none')
    return billed.status_code >= 400 ? { lines: [], input_cost: '0', output_cost: '0' } : null
  if (isBySecond(price) && !billed.units?.['audio_seconds']) return null
  const [input, output] = [inputLines(billed, price), outputLines(billed, price)]
  return {
    lines: [...input, ...output].map(({ line }) => line),
    input_cost: sumOf(input),
    output_cost: sumOf(output),
  }
}

/** Priced by the second of audio and by nothing else: without the seconds there is no saying. */
function isBySecond(price: PriceRow): boolean {
  if (price.unit_prices?.['audio_seconds'] === undefined) return false
  return [price.input_price_per_1m, price.output_price_per_1m].every((each) => isZero(decimal(each)))
}

/** The parts of the prompt do not overlap: what has a price of its own is taken out of the rest. */
function inputLines(billed: Billed, price: PriceRow): Reckoned[] {
  const of = pricesFor(price, billed.prompt_tokens)
  const read = Math.min(billed.cached_tokens, billed.prompt_tokens)
  const written = Math.min(billed.cache_write_tokens, billed.prompt_tokens - read)
  const long = Math.min(billed.cache_write_long_tokens, written)
  const rest = billed.prompt_tokens - read - written
  // Providers do not say how much of the audio came from the cache, so it counts against the uncached part.
  const audio = price.audio_input_price_per_1m === null ? 0 : Math.min(billed.audio_input_tokens, rest)
  return [
    tokenLine('input', 'Input', rest - audio, of.input),
    tokenLine('input', 'Audio input', audio, price.audio_input_price_per_1m ?? of.input),
    tokenLine('input', 'Cache read', read, of.cacheRead ?? of.input),
    tokenLine('input', 'Cache write', written - long, of.cacheWrite ?? of.input),
    tokenLine('input', 'Cache write, long lifetime', long, of.cacheWriteLong ?? of.cacheWrite ?? of.input),
    price.request_price === null ? null : unitLine('Request', 1, 'request', price.request_price),
    ...unitLines(billed.units, price.unit_prices),
  ].filter((each) => each !== null)
}

function outputLines(billed: Billed, price: PriceRow): Reckoned[] {
  const { output } = pricesFor(price, billed.prompt_tokens)
  const audio =
    price.audio_output_price_per_1m === null
      ? 0
      : Math.min(billed.audio_output_tokens, billed.completion_tokens)
  const ofReasoning = price.unit_prices?.[reasoningUnit]
  const reasoning =
    ofReasoning === undefined ? 0 : Math.min(billed.reasoning_tokens, billed.completion_tokens - audio)
  return [
    tokenLine('output', 'Output', billed.completion_tokens - audio - reasoning, output),
    tokenLine('output', 'Audio output', audio, price.audio_output_price_per_1m ?? output),
    tokenLine('output', 'Reasoning', reasoning, ofReasoning ? perMillion(ofReasoning) : output),
  ].filter((each) => each !== null)
}

/** Reasoning is part of the output and costs the same; the few models where it does not have this unit price. */
export const reasoningUnit = 'reasoning_tokens'

function unitLines(units: Billed['units'], prices: PriceRow['unit_prices']): Reckoned[] {
  return Object.entries(prices ?? {}).flatMap(([unit, each]) => {
    const quantity = Object.hasOwn(units ?? {}, unit) ? (units?.[unit] ?? 0) : 0
    return quantity > 0 && unit !== reasoningUnit ? [unitLine(nameOf(unit), quantity, unit, each)] : []
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
  const reached = (price.tiers ?? [])
    .filter((tier) => promptTokens > tier.above_tokens)
    .toSorted((a, b) => a.above_tokens - b.above_tokens)
  const of = reached.reduce<PriceRow>((prices, tier) => ({ ...prices, ...tier }), price)
  return {
    input: of.input_price_per_1m,
    output: of.output_price_per_1m,
    cacheRead: of.cache_read_price_per_1m,
    cacheWrite: of.cache_write_price_per_1m,
    cacheWriteLong: of.cache_write_long_price_per_1m,
  }
}

/** A line, and its cost before it became text. */
interface Reckoned {
  line: CostLine
  cost: Decimal
}

function tokenLine(side: CostLine['side'], what: string, tokens: number, price: string): Reckoned | null {
  if (tokens <= 0) return null
  const cost = movePoint(multiply(decimal(price), decimalOfNumber(tokens)), 6)
  return { line: { side, what, quantity: tokens, unit: 'tokens', price, cost: writeDecimal(cost) }, cost }
}

function unitLine(what: string, quantity: number, unit: string, price: string): Reckoned {
  const cost = multiply(decimal(price), decimalOfNumber(quantity))
  return { line: { side: 'input', what, quantity, unit, price, cost: writeDecimal(cost) }, cost }
}

function sumOf(lines: readonly Reckoned[]): string {
  return writeDecimal(lines.reduce((sum, { cost }) => add(sum, cost), zero))
}

const perMillion = (price: string): string => writeDecimal(movePoint(decimal(price), -6))

/** `web_search` → "Web search" */
const nameOf = (unit: string): string => {
  const words = unit.replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
