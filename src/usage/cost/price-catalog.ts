import type { Kysely } from 'kysely'
import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import type { Log } from '#kernel/log'
import type { UsageTables } from '../tables.ts'
import { createPriceLookup, type EffectivePrice } from './price-lookup.ts'
import { changeSynced, listPricesSince } from './price-store.ts'
import { PriceTable } from './price-table.ts'
import { syncedDifference, type SyncedPrice } from './synced-prices.ts'

/** Every price, in memory: looked up without waiting, and also while the database is away. */
export interface PriceCatalog {
  /** The row in force at the time: the group's own, else a synchronised one, else a built-in one. */
  priceFor(groupId: string, provider: string | null, model: string, at: Date): EffectivePrice | null
  /** Makes sure that prices are known that were in force at this time; requests of long ago may still wait. */
  loadBackTo(at: Date): Promise<void>
  /** Reads the prices again, so that a change counts for the next request of this process. */
  reload(): Promise<void>
  start(): Promise<void>
}

export interface PriceCatalogDeps {
  database: Database
  config: Pick<Config, 'PERPLEXITY_API'>
  log: Log
  /** What the providers' own lists say their models cost. */
  syncedPrices(): Promise<readonly SyncedPrice[]>
}

/** A request that began this long ago may still be running. */
const longestRequestMs = 24 * 3_600_000

export function createPriceCatalog({ database, config, log, syncedPrices }: PriceCatalogDeps): PriceCatalog {
  const db: Kysely<UsageTables> = database.tables()
  const look = createPriceLookup(config)
  let table = new PriceTable([])
  let known = Infinity
  let wanted = Infinity

  const reload = oneAfterAnother(async () => {
    const since = Math.min(wanted, Date.now() - longestRequestMs)
    table = new PriceTable(await listPricesSince(db, new Date(since)))
    known = since
  })
  const takeSynced = oneAfterAnother(async () => {
    const listed = await syncedPrices()
    await changeSynced(db, (inForce, now) => syncedDifference(inForce, listed, now))
  })
  const quietly = (work: () => Promise<void>) => (): void =>
    void work().catch((error: unknown) => log.warn({ error }, 'prices could not be read again'))

  return {
    priceFor: (groupId, provider, model, at) => look(table, groupId, provider, model, at),
    async loadBackTo(at) {
      if (at.getTime() >= known) return
      wanted = at.getTime()
      await reload()
    },
    reload,
    async start() {
      await database.listener.on('usage_prices_changed', quietly(reload), quietly(reload))
      await database.listener.on('gateway_changed', quietly(takeSynced), quietly(takeSynced))
      await takeSynced()
      await reload()
    },
  }
}

/** Runs never overlap, and calls that come while one waits share it: each caller's run begins after its call. */
function oneAfterAnother(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  let waiting: Promise<void> | undefined
  return () => {
    if (waiting) return waiting
    const next = last.then(() => {
      waiting = undefined
      return work()
    })
    waiting = next
    last = next.catch(() => undefined)
    return next
  }
}
