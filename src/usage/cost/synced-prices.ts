import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { SyncedPrice } from '#gateway'
import type { PriceRow } from '../row.ts'
import type { PriceTier } from '../tables.ts'
import { readDecimal, writeDecimal } from '#kernel/decimal'

export type { SyncedPrice } from '#gateway'

type OtherPrices = NonNullable<SyncedPrice['otherPrices']>
type Tier = NonNullable<OtherPrices['tiers']>[number]

/** The prices to open and close, of all groups, so that those in force match the providers' lists. Pure. */
export function syncedDifference(
  inForce: readonly PriceRow[],
  listed: readonly SyncedPrice[],
  { now, later }: SyncTimes,
): { opened: PriceRow[]; closed: PriceRow[] } {
  const wanted = new Map(listed.flatMap((price) => toRow(price, now) ?? []).map((row) => [placeOf(row), row]))
  const lasting = inForce.filter((row) => row.effective_to === null)
  const ending = new Map(inForce.map((row) => [placeOf(row), row.effective_to ?? later.toISOString()]))
  const known = new Map(lasting.map((row) => [placeOf(row), row]))
  return {
    opened: [...wanted]
      .filter(([place, row]) => !isSame(row, known.get(place)))
      .map(([place, row]) => ({ ...row, effective_from: ending.get(place) ?? row.effective_from })),
    closed: lasting.filter((row) => !isSame(wanted.get(placeOf(row)), row)),
  }
}

/** A price ends, and the next one begins, a moment after the change: every process knows of it before then. */
export interface SyncTimes {
  now: Date
  later: Date
}

const placeOf = ({ group_id: groupId, model_id: model }: PriceRow): string => `${groupId} ${model}`

/** Null without a price: unknown must not become free. Routers list -1, which means "it depends". */
function toRow(listed: SyncedPrice, now: Date): PriceRow | null {
  const input = priceText(listed.inputPrice)
  const output = priceText(listed.outputPrice)
  if (input === null || output === null) return null
  return {
    id: randomUUID(),
    group_id: listed.groupId,
    model_id: listed.model,
    source: 'synced',
    input_price_per_1m: input,
    output_price_per_1m: output,
    cache_read_price_per_1m: priceText(listed.cacheReadPrice),
    cache_write_price_per_1m: priceText(listed.cacheWritePrice),
    cache_write_long_price_per_1m: priceText(listed.otherPrices?.cacheWriteLongPrice),
    audio_input_price_per_1m: null,
    audio_output_price_per_1m: null,
    request_price: priceText(listed.requestPrice),
    unit_prices: unitPrices(listed.otherPrices?.unitPrices),
    tiers: tiersOf(listed.otherPrices?.tiers),
    effective_from: now.toISOString(),
    effective_to: null,
  }
}

function unitPrices(listed: OtherPrices['unitPrices']): PriceRow['unit_prices'] {
  const known = Object.entries(listed ?? {}).flatMap(([unit, price]) => {
    const text = priceText(price)
    return text === null ? [] : [[unit, text] as const]
  })
  return known.length === 0 ? null : Object.fromEntries(known)
}

const tierNames = {
  input_price_per_1m: 'inputPrice',
  output_price_per_1m: 'outputPrice',
  cache_read_price_per_1m: 'cacheReadPrice',
  cache_write_price_per_1m: 'cacheWritePrice',
  cache_write_long_price_per_1m: 'cacheWriteLongPrice',
} as const satisfies Partial<Record<keyof PriceTier, keyof Tier>>

function tiersOf(listed: OtherPrices['tiers']): PriceTier[] | null {
  const tiers = (listed ?? []).map((tier) => {
    const prices = Object.entries(tierNames).flatMap(([ours, theirs]) => {
      const text = priceText(tier[theirs])
      return text === null ? [] : [[ours, text] as const]
    })
    return { above_tokens: tier.aboveTokens, ...Object.fromEntries(prices) }
  })
  return tiers.length === 0 ? null : tiers
}

function priceText(text: string | null | undefined): string | null {
  const read = text === null || text === undefined ? null : readDecimal(text)
  return read && read.digits >= 0n ? writeDecimal(read) : null
}

const compared = [
  'input_price_per_1m',
  'output_price_per_1m',
  'cache_read_price_per_1m',
  'cache_write_price_per_1m',
  'cache_write_long_price_per_1m',
  'request_price',
  'unit_prices',
  'tiers',
] as const

function isSame(wanted: PriceRow | undefined, known: PriceRow | undefined): boolean {
  if (wanted === undefined || known === undefined) return false
  // The database keeps the members of an object in an order of its own.
  return compared.every((name) => isDeepStrictEqual(wanted[name], known[name]))
}
