import { BoundedCache } from '#kernel/cache'
import type { Config } from '#kernel/config'
import type { PriceRow } from '../row.ts'
import { builtInPrice } from './built-in.ts'
import { isWithin, spanOf, type PriceTable, type Span } from './price-table.ts'

export interface EffectivePrice {
  row: PriceRow
  /** The database is known to have the row; otherwise a request brings it along. */
  isStored: boolean
}

export type PriceLookup = (
  table: PriceTable,
  groupId: string,
  provider: string | null,
  model: string,
  at: Date,
) => EffectivePrice | null

/** The row in force at the time: the group's own, else a synchronised one, else a built-in one. */
export function createPriceLookup(config: Pick<Config, 'PERPLEXITY_API'>): PriceLookup {
  const builtIn = remembered((provider, model, at) => builtInPrice(config, provider, model, at))
  return (table, groupId, provider, model, at) => {
    const stored = table.find(groupId, model, at)
    if (stored) return { row: stored, isStored: true }
    const row = provider === null ? null : builtIn(provider, model, at)
    return row && { row, isStored: table.hasBuiltIn(row.id) }
  }
}

type Find = (provider: string, model: string, at: Date) => PriceRow | null

/** Clients choose the names of models, so what is remembered about them is bounded. */
const maxCached = 2_000

function remembered(find: Find): Find {
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
