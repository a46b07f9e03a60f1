import type { Kysely } from 'kysely'
import { serialized, type Database } from '#kernel/db'
import type { UsageTables } from '../tables.ts'
import type { PriceSources } from './built-in.ts'
import { createPriceLookup, type EffectivePrice } from './price-lookup.ts'
import { changeSynced, listPricesSince } from './price-store.ts'
import { PriceTable } from './price-table.ts'
import { syncedDifference, type SyncedPrice } from './synced-prices.ts'

/** Every price in memory: looked up without waiting, also while the database is unavailable. */
export interface PriceCatalog {
  /** The price in force at a time: the group's custom price, else a synchronised one, else a built-in one. */
  priceFor(groupId: string, provider: string | null, model: string, at: Date): EffectivePrice | null
  /** Loads prices that were in force at this time; requests of long ago may still wait to be priced. */
  loadBackTo(at: Date): Promise<void>
  /** Reloads the prices, so that a change applies to the next request of this process. */
  reload(): Promise<void>
  start(): Promise<void>
}

export interface PriceCatalogDeps {
  database: Database
  builtInPrices: PriceSources
  /** Prices from the providers' model lists. */
  syncedPrices(): Promise<readonly SyncedPrice[]>
}

/** A request that began this long ago may still be running. */
const longestRequestMs = 24 * 3_600_000

export function createPriceCatalog({
  database,
  builtInPrices,
  syncedPrices,
}: PriceCatalogDeps): PriceCatalog {
  const db: Kysely<UsageTables> = database.tables()
  const look = createPriceLookup(builtInPrices)
  let table = new PriceTable([])
  let known = Infinity
  let wanted = Infinity

  const reload = serialized(async () => {
    const since = Math.min(wanted, Date.now() - longestRequestMs)
    table = new PriceTable(await listPricesSince(db, new Date(since)))
    known = since
  })
  const takeSynced = serialized(async () => {
    const listed = await syncedPrices()
    await changeSynced(db, (inForce, times) => syncedDifference(inForce, listed, times))
  })

  return {
    priceFor: (groupId, provider, model, at) => look(table, groupId, provider, model, at),
    async loadBackTo(at) {
      if (at.getTime() >= known) return
      wanted = at.getTime()
      await reload()
    },
    reload,
    async start() {
      await database.listener.on('usage_prices_changed', reload, reload)
      await database.listener.on('gateway_changed', takeSynced, takeSynced)
      await takeSynced()
      await reload()
    },
  }
}
