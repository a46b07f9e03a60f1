import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import type { calcPrice, ModelInfo, ModelPrice, TieredPrices } from '@pydantic/genai-prices'
import type { FixedPrice, PriceSource, TablePrices } from '#gateway'
import type { PriceRow } from '../row.ts'
import type { PriceTier } from '../tables.ts'
import { reasoningUnit } from './cost.ts'
import { decimal, decimalOfNumber, divide, movePoint, writeDecimal } from '#kernel/decimal'

interface Table {
  calcPrice: typeof calcPrice
}

/** Loaded for the first price only: most of a start and every short command do without it. */
let table: Table | undefined
const load = (): Table => (table ??= createRequire(import.meta.url)('@pydantic/genai-prices') as Table)

/** The built-in prices of a provider, by the provider's id. */
export type PriceSources = ReadonlyMap<string, PriceSource>

type Prices = Omit<PriceRow, 'id' | 'group_id' | 'model_id' | 'source' | 'effective_from' | 'effective_to'>
type Entry = Prices & Pick<PriceRow, 'effective_from' | 'effective_to'>

/**
 * The built-in price of a model at a time. The same content always has the same id, so every process may insert the
 * row. The table is never refreshed over the network.
 */
export function builtInPrice(
  sources: PriceSources,
  provider: string,
  model: string,
  at: Date,
): PriceRow | null {
  const source = sources.get(provider)
  if (!source) return null
  const entry = 'tableId' in source ? inTable(source, provider, model, at) : fixed(source.fixedPrice(model))
  return entry && { id: idOf(model, entry), group_id: null, model_id: model, source: 'built_in', ...entry }
}

function fixed(price: FixedPrice | null): Entry | null {
  return (
    price && {
      input_price_per_1m: price.inputPrice,
      output_price_per_1m: price.outputPrice,
      cache_read_price_per_1m: price.cacheReadPrice,
      cache_write_price_per_1m: null,
      cache_write_long_price_per_1m: null,
      audio_input_price_per_1m: null,
      audio_output_price_per_1m: null,
      request_price: null,
      unit_prices: { ...price.unitPrices },
      tiers: null,
      effective_from: new Date(0).toISOString(),
      effective_to: null,
    }
  )
}

function inTable(source: TablePrices, provider: string, model: string, at: Date): Entry | null {
  const found = find(source.tableId, source.tableModel?.(model) ?? withoutPrefix(provider, model), at)
  if (!found || !isPriced(found.model_price)) return null
  const prices = toPrices(found.model_price, source.searchUnit ?? 'web_search')
  return { ...prices, ...validity(found.model, found.model_price) }
}

function find(providerId: string, model: string, timestamp: Date) {
  try {
    return load().calcPrice({}, model, { providerId, timestamp })
  } catch {
    // The table throws for an entry that breaks its own rules.
    return null
  }
}

/** The gateway's prefix is not part of the name in the table. */
function withoutPrefix(provider: string, model: string): string {
  const prefix = `${provider}/`
  return model.startsWith(prefix) && model.length > prefix.length ? model.slice(prefix.length) : model
}

/** An entry without prices is a free model; one that prices only units we do not count is not used. */
function isPriced(prices: ModelPrice): boolean {
  const names = Object.keys(prices).filter((name) => prices[name] !== undefined)
  return names.length === 0 || names.some((name) => counted.has(name))
}

const counted = new Set(['input_mtok', 'output_mtok', 'audio_hours', 'input_audio_hours', 'requests_kcount'])

function toPrices(prices: ModelPrice, searchUnit: string): Prices {
  const base = (name: string): string | null => {
    const price = prices[name]
    return price === undefined ? null : textOf(typeof price === 'number' ? price : price.base)
  }
  const thousandth = (name: string): string | null => shifted(base(name), 3)
  return {
    input_price_per_1m: base('input_mtok') ?? '0',
    output_price_per_1m: base('output_mtok') ?? '0',
    cache_read_price_per_1m: base('cache_read_mtok'),
    cache_write_price_per_1m: base('cache_write_mtok'),
    cache_write_long_price_per_1m: base('cache_write_1h_mtok'),
    audio_input_price_per_1m: base('input_audio_mtok'),
    audio_output_price_per_1m: base('output_audio_mtok'),
    request_price: thousandth('requests_kcount'),
    unit_prices: withoutNulls({
      [searchUnit]: thousandth('web_searches_kcount'),
      file_search: thousandth('storage_searches_kcount'),
      citation_tokens: shifted(base('output_citation_mtok'), 6),
      [reasoningUnit]: shifted(base('output_reasoning_mtok'), 6),
      audio_seconds: bySecond(base('audio_hours') ?? base('input_audio_hours')),
    }),
    tiers: toTiers(prices),
  }
}

const tierNames = {
  input_price_per_1m: 'input_mtok',
  output_price_per_1m: 'output_mtok',
  cache_read_price_per_1m: 'cache_read_mtok',
  cache_write_price_per_1m: 'cache_write_mtok',
  cache_write_long_price_per_1m: 'cache_write_1h_mtok',
} as const satisfies Partial<Record<keyof PriceTier, string>>

/** The table has tiers per price, we have prices per tier; in both a tier applies to the whole request. */
function toTiers(prices: ModelPrice): PriceTier[] | null {
  const tiers = new Map<number, PriceTier>()
  for (const [ours, theirs] of Object.entries(tierNames)) {
    for (const { start, price } of tiersOf(prices[theirs])) {
      const tier = tiers.get(start) ?? { above_tokens: start }
      tiers.set(start, { ...tier, [ours]: textOf(price) })
    }
  }
  return tiers.size === 0 ? null : [...tiers.values()].toSorted((a, b) => a.above_tokens - b.above_tokens)
}

function tiersOf(price: number | TieredPrices | undefined): TieredPrices['tiers'] {
  return typeof price === 'object' ? price.tiers : []
}

/** The time in which an entry applies. Entries by time of day differ in their content only. */
function validity(model: ModelInfo, prices: ModelPrice): Pick<PriceRow, 'effective_from' | 'effective_to'> {
  const entries = Array.isArray(model.prices) ? model.prices : []
  const starts = entries.map(({ constraint }) =>
    constraint?.type === 'start_date' ? constraint.start_date : null,
  )
  const place = entries.findIndex((entry) => entry.prices === prices)
  const next = starts.slice(place + 1).find((start) => start !== null)
  return {
    effective_from: new Date(starts[place] ?? 0).toISOString(),
    effective_to: next === undefined || next === null || place < 0 ? null : new Date(next).toISOString(),
  }
}

/** A uuid derived from the content (version 8). */
function idOf(model: string, content: object): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([model, content]))
    .digest('hex')
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** No price has more than twelve digits; anything after them is rounding noise of a float. */
const textOf = (price: number): string => writeDecimal(decimalOfNumber(Number(price.toPrecision(12))))

const shifted = (text: string | null, by: number): string | null =>
  text === null ? null : writeDecimal(movePoint(decimal(text), by))

const bySecond = (hour: string | null): string | null =>
  hour === null ? null : writeDecimal(divide(decimal(hour), 3600n, 18))

function withoutNulls(values: Record<string, string | null>): Record<string, string> | null {
  const known = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null)
  return known.length === 0 ? null : Object.fromEntries(known)
}
