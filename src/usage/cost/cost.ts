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
} from '#kernel/decimal'
import { priceDecimal } from './price-decimal.ts'

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
  input_cost: string
  output_cost: string
  /** Something was billed by the price, even if for nothing. */
  usesPrice: boolean
}

type Side = CostLine['side']

/** Hears of each part of a cost, in the order in which people read them. */
interface Listener {
  part(side: Side, cost: Decimal, what: string, quantity: number, unit: string, price: string): void
}

/** Null when it cannot be said: no price, or an answer of which nobody knows the tokens. Pure. */
export function calculateCost(billed: Billed, price: PriceRow | null): Cost | null {
  const sums = new Sums()
  if (!price || !tellParts(billed, price, sums)) return null
  return {
    input_cost: writeDecimal(sums.input),
    output_cost: writeDecimal(sums.output),
    usesPrice: sums.count > 0,
  }
}

/** The same line by line; the lines add up to the two costs exactly. */
export function costLines(billed: Billed, price: PriceRow | null): CostLine[] | null {
  const lines = new Lines()
  return price && tellParts(billed, price, lines) ? lines.list : null
}

/** The log has the sums of every request, and people look at the lines of few: sums are not made of lines. */
class Sums implements Listener {
  input = zero
  output = zero
  count = 0

  part(side: Side, cost: Decimal): void {
    this[side] = add(this[side], cost)
    this.count++
  }
}

class Lines implements Listener {
  list: CostLine[] = []

  part(side: Side, cost: Decimal, what: string, quantity: number, unit: string, price: string): void {
    this.list.push({ side, what, quantity, unit, price, cost: writeDecimal(cost) })
  }
}

/** The one place that knows what is billed. False when it cannot be said. */
function tellParts(billed: Billed, price: PriceRow, to: Listener): boolean {
  // A request that failed and used nothing costs nothing; one that succeeded used something we do not know.
  if (billed.usage_source === 'none') return billed.status_code >= 400
  if (isBySecond(price) && !billed.units?.['audio_seconds']) return false
  const inForce = price.tiers === null ? price : withTiers(price, price.tiers, billed.prompt_tokens)
  tellInput(billed, inForce, to)
  tellOutput(billed, inForce, to)
  return true
}

/** Priced by the second of audio and by nothing else: without the seconds there is no saying. */
function isBySecond(price: PriceRow): boolean {
  if (price.unit_prices?.['audio_seconds'] === undefined) return false
  return [price.input_price_per_1m, price.output_price_per_1m].every((each) => isZero(priceDecimal(each)))
}

/** The parts of the prompt do not overlap: what has a price of its own is taken out of the rest. */
function tellInput(billed: Billed, price: PriceRow, to: Listener): void {
  const read = Math.min(billed.cached_tokens, billed.prompt_tokens)
  const written = Math.min(billed.cache_write_tokens, billed.prompt_tokens - read)
  const long = Math.min(billed.cache_write_long_tokens, written)
  const rest = billed.prompt_tokens - read - written
  // Providers do not say how much of the audio came from the cache, so it counts against the uncached part.
  const audio = price.audio_input_price_per_1m === null ? 0 : Math.min(billed.audio_input_tokens, rest)
  const ofInput = price.input_price_per_1m
  const ofWrite = price.cache_write_price_per_1m ?? ofInput
  tellTokens(to, 'input', 'Input', rest - audio, ofInput)
  tellTokens(to, 'input', 'Audio input', audio, price.audio_input_price_per_1m ?? ofInput)
  tellTokens(to, 'input', 'Cache read', read, price.cache_read_price_per_1m ?? ofInput)
  tellTokens(to, 'input', 'Cache write', written - long, ofWrite)
  const ofLong = price.cache_write_long_price_per_1m ?? ofWrite
  tellTokens(to, 'input', 'Cache write, long lifetime', long, ofLong)
  if (price.request_price !== null) tellUnits(to, 'Request', 1, 'request', price.request_price)
  if (price.unit_prices && billed.units) tellOtherUnits(billed.units, price.unit_prices, to)
}

function tellOutput(billed: Billed, price: PriceRow, to: Listener): void {
  const audio =
    price.audio_output_price_per_1m === null
      ? 0
      : Math.min(billed.audio_output_tokens, billed.completion_tokens)
  const ofReasoning = price.unit_prices?.[reasoningUnit]
  const reasoning =
    ofReasoning === undefined ? 0 : Math.min(billed.reasoning_tokens, billed.completion_tokens - audio)
  const ofOutput = price.output_price_per_1m
  tellTokens(to, 'output', 'Output', billed.completion_tokens - audio - reasoning, ofOutput)
  tellTokens(to, 'output', 'Audio output', audio, price.audio_output_price_per_1m ?? ofOutput)
  if (ofReasoning !== undefined) tellTokens(to, 'output', 'Reasoning', reasoning, perMillion(ofReasoning))
}

/** Reasoning is part of the output and costs the same; the few models where it does not have this unit price. */
export const reasoningUnit = 'reasoning_tokens'

function tellOtherUnits(
  units: Readonly<Record<string, number>>,
  prices: Readonly<Record<string, string>>,
  to: Listener,
): void {
  for (const [unit, each] of Object.entries(prices)) {
    const quantity = Object.hasOwn(units, unit) ? (units[unit] ?? 0) : 0
    if (quantity > 0 && unit !== reasoningUnit) tellUnits(to, nameOf(unit), quantity, unit, each)
  }
}

/** A tier holds for the whole request when it has more input tokens than the tier says; the highest one wins. */
function withTiers(price: PriceRow, tiers: readonly PriceTier[], promptTokens: number): PriceRow {
  return tiers
    .filter((tier) => promptTokens > tier.above_tokens)
    .toSorted((a, b) => a.above_tokens - b.above_tokens)
    .reduce<PriceRow>((prices, tier) => ({ ...prices, ...tier }), price)
}

function tellTokens(to: Listener, side: Side, what: string, tokens: number, price: string): void {
  if (tokens <= 0) return
  const { digits, places } = priceDecimal(price)
  const cost = { digits: digits * BigInt(tokens), places: places + 6 }
  to.part(side, cost, what, tokens, 'tokens', price)
}

function tellUnits(to: Listener, what: string, quantity: number, unit: string, price: string): void {
  const cost = multiply(priceDecimal(price), decimalOfNumber(quantity))
  to.part('input', cost, what, quantity, unit, price)
}

const perMillion = (price: string): string => writeDecimal(movePoint(priceDecimal(price), -6))

/** `web_search` → "Web search" */
const nameOf = (unit: string): string => {
  const words = unit.replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
