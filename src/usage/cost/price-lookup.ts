import { BoundedCache } from '#kernel/cache'
import type { PriceRow } from '../row.ts'
import { builtInPrice, type PriceSources } from './built-in.ts'
import { isWithin, spanOf, type PriceTable, type Span } from './price-table.ts'

export interface EffectivePrice {
  row: PriceRow
  /** True when the row is in the database; otherwise the first request that uses it inserts it. */
  isStored: boolean
}

export type PriceLookup = (
  table: PriceTable,
  groupId: string,
  provider: string | null,
  model: string,
  at: Date,
) => EffectivePrice | null

/** The price in force at a time: the group's custom price, else a synchronised one, else a built-in one. */
export function createPriceLookup(sources: PriceSources): PriceLookup {
  const builtIn = cached((provider, model, at) => builtInPrice(sources, provider, model, at))
  return (table, groupId, provider, model, at) => {
    const stored = table.find(groupId, model, at)
    if (stored) return { row: stored, isStored: true }
    const row = provider === null ? null : builtIn(provider, model, at)
    return row && { row, isStored: table.hasBuiltIn(row.id) }
  }
}

type Find = (provider: string, model: string, at: Date) => PriceRow | null

/** Clients choose the names of models, so the number of cached ones is limited. */
const maxCached = 2_000

function cached(find: Find): Find {
  const known = new BoundedCache<string, Span | 'none'>('built_in_prices', maxCached)
  return (provider, model, at) => {
    const name = `${provider} ${model}`
    const last = known.get(name)
    if (last === 'none') return null
    if (last && isWithin(last, at.getTime())) return last.row
    const found = find(provider, model, at)
    known.set(name, found ? spanOf(found) : 'none')
    return found
  }
}
