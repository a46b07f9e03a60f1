import type { CostLine } from '../contract.ts'
import type { LedgerRow, PriceRow } from '../row.ts'
import type { PriceTier } from '../tables.ts'
import {
  add,
  decimalOfNumber,
  isZero,
  movePoint,
  multiply,
  writeDecimal,
  zero,
  type Decimal,
  decimal,
} from '#kernel/decimal'
import { BoundedCache } from '#kernel/cache'

/** What a request is billed for, with the column names of the log. */
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
  input_cost: string
  output_cost: string
  /** True when the price was applied to something, even if it costs nothing. */
  usesPrice: boolean
}

type Side = CostLine['side']

/** Collects the parts of a cost, in the order in which they are shown. */
interface PartCollector {
  addPart(side: Side, cost: Decimal, what: string, quantity: number, unit: string, price: string): void
}

/**
 * Null when the cost is unknown: no price, or a response with an unknown number of tokens. A request that was refused,
 * such as one for a model that does not exist, costs nothing whatever the price would have been. Pure.
 */
export function calculateCost(billed: Billed, price: PriceRow | null): Cost | null {
  if (isUnused(billed)) return { input_cost: '0', output_cost: '0', usesPrice: false }
  const sums = new Sums()
  if (!price || !collectParts(billed, price, sums)) return null
  return {
    input_cost: writeDecimal(sums.input),
    output_cost: writeDecimal(sums.output),
    usesPrice: sums.count > 0,
  }
}

/** The same line by line; the lines add up to the two costs exactly. */
export function costLines(billed: Billed, price: PriceRow | null): CostLine[] | null {
  const lines = new Lines()
  return price && collectParts(billed, price, lines) ? lines.list : null
}

/** Every request needs its sums and few are opened line by line, so sums are not made from lines. */
class Sums implements PartCollector {
  input = zero
  output = zero
  count = 0

  addPart(side: Side, cost: Decimal): void {
    this[side] = add(this[side], cost)
    this.count++
  }
}

class Lines implements PartCollector {
  list: CostLine[] = []

  addPart(side: Side, cost: Decimal, what: string, quantity: number, unit: string, price: string): void {
    this.list.push({ side, what, quantity, unit, price, cost: writeDecimal(cost) })
  }
}

const unknownUse = new Set([499, 504])

/** Failed, and used nothing. One that the client or we did not wait for used an unknown amount. */
function isUnused({ usage_source: source, status_code: status }: Billed): boolean {
  return source === 'none' && status >= 400 && !unknownUse.has(status)
}

/** The only place that knows what is billed. False when the cost is unknown. */
function collectParts(billed: Billed, price: PriceRow, to: PartCollector): boolean {
  // A successful request without usage used an unknown amount.
  if (billed.usage_source === 'none') return isUnused(billed)
  if (isBySecond(price) && !billed.units?.['audio_seconds']) return false
  const inForce = price.tiers === null ? price : withTiers(price, price.tiers, billed.prompt_tokens)
  collectInput(billed, inForce, to)
  collectOutput(billed, inForce, to)
  return true
}

/** Priced per second of audio only: without the seconds the cost is unknown. */
function isBySecond(price: PriceRow): boolean {
  if (price.unit_prices?.['audio_seconds'] === undefined) return false
  return [price.input_price_per_1m, price.output_price_per_1m].every((each) => isZero(priceDecimal(each)))
}

/** The parts of the prompt do not overlap: what is priced separately is subtracted from the rest. */
function collectInput(billed: Billed, price: PriceRow, to: PartCollector): void {
  const read = Math.min(billed.cached_tokens, billed.prompt_tokens)
  const written = Math.min(billed.cache_write_tokens, billed.prompt_tokens - read)
  const long = Math.min(billed.cache_write_long_tokens, written)
  const rest = billed.prompt_tokens - read - written
  // Providers do not report how much of the audio was cached, so it counts as uncached.
  const audio = price.audio_input_price_per_1m === null ? 0 : Math.min(billed.audio_input_tokens, rest)
  const ofInput = price.input_price_per_1m
  const ofWrite = price.cache_write_price_per_1m ?? ofInput
  addTokens(to, 'input', 'Input', rest - audio, ofInput)
  addTokens(to, 'input', 'Audio input', audio, price.audio_input_price_per_1m ?? ofInput)
  addTokens(to, 'input', 'Cache read', read, price.cache_read_price_per_1m ?? ofInput)
  addTokens(to, 'input', 'Cache write', written - long, ofWrite)
  const ofLong = price.cache_write_long_price_per_1m ?? ofWrite
  addTokens(to, 'input', 'Cache write, long lifetime', long, ofLong)
  if (price.request_price !== null) addUnits(to, 'Request', 1, 'request', price.request_price)
  if (price.unit_prices && billed.units) addOtherUnits(billed.units, price.unit_prices, to)
}

function collectOutput(billed: Billed, price: PriceRow, to: PartCollector): void {
  const audio =
    price.audio_output_price_per_1m === null
      ? 0
      : Math.min(billed.audio_output_tokens, billed.completion_tokens)
  const ofReasoning = price.unit_prices?.[reasoningUnit]
  const reasoning =
    ofReasoning === undefined ? 0 : Math.min(billed.reasoning_tokens, billed.completion_tokens - audio)
  const ofOutput = price.output_price_per_1m
  addTokens(to, 'output', 'Output', billed.completion_tokens - audio - reasoning, ofOutput)
  addTokens(to, 'output', 'Audio output', audio, price.audio_output_price_per_1m ?? ofOutput)
  if (ofReasoning !== undefined) addTokens(to, 'output', 'Reasoning', reasoning, perMillion(ofReasoning))
}

/** Reasoning is part of the output at the same price; the few models where it is not have this unit price. */
export const reasoningUnit = 'reasoning_tokens'

function addOtherUnits(
  units: Readonly<Record<string, number>>,
  prices: Readonly<Record<string, string>>,
  to: PartCollector,
): void {
  for (const [unit, each] of Object.entries(prices)) {
    const quantity = Object.hasOwn(units, unit) ? (units[unit] ?? 0) : 0
    if (quantity > 0 && unit !== reasoningUnit) addUnits(to, nameOf(unit), quantity, unit, each)
  }
}

/** A tier applies to the whole request when it has more input tokens than the tier; the highest tier wins. */
function withTiers(price: PriceRow, tiers: readonly PriceTier[], promptTokens: number): PriceRow {
  return tiers
    .filter((tier) => promptTokens > tier.above_tokens)
    .toSorted((a, b) => a.above_tokens - b.above_tokens)
    .reduce<PriceRow>((prices, tier) => ({ ...prices, ...tier }), price)
}

function addTokens(to: PartCollector, side: Side, what: string, tokens: number, price: string): void {
  if (tokens <= 0) return
  const { digits, places } = priceDecimal(price)
  const cost = { digits: digits * BigInt(tokens), places: places + 6 }
  to.addPart(side, cost, what, tokens, 'tokens', price)
}

function addUnits(to: PartCollector, what: string, quantity: number, unit: string, price: string): void {
  const cost = multiply(priceDecimal(price), decimalOfNumber(quantity))
  to.addPart('input', cost, what, quantity, unit, price)
}

const perMillion = (price: string): string => writeDecimal(movePoint(priceDecimal(price), -6))

/** `web_search` → "Web search" */
const nameOf = (unit: string): string => {
  const words = unit.replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** There are few different prices, and every request reads some. */
const known = new BoundedCache<string, Decimal>('price_decimals', 2_000)

/** A stored price as a number. */
function priceDecimal(text: string): Decimal {
  const before = known.get(text)
  if (before) return before
  const read = decimal(text)
  known.set(text, read)
  return read
}
