import type { Kysely } from 'kysely'
import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import type { Log } from '#kernel/log'
import type { PriceRow } from '../row.ts'
import type { UsageTables } from '../tables.ts'
import { builtInPrice } from './built-in.ts'
import { changeSynced, listPricesSince } from './price-store.ts'
import { PriceTable } from './price-table.ts'
import { syncedDifference, type SyncedPrice } from './synced-prices.ts'

export interface BookedPrice {
  row: PriceRow
  /** The database is known to have the row; otherwise a request brings it along. */
  isStored: boolean
}

/** Every price, in memory: looked up without waiting, and also while the database is away. */
export interface PriceBook {
  /** The row in force at the time: the group's own, else a synchronised one, else a built-in one. */
  priceFor(groupId: string, provider: string | null, model: string, at: Date): BookedPrice | null
  /** Reads the prices again, so that a change counts for the next request of this process. */
  reload(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

export interface PriceBookDeps {
  database: Database
  config: BuiltInSettings
  log: Log
  /** What the providers' own lists say their models cost. */
  syncedPrices(): Promise<readonly SyncedPrice[]>
}

type BuiltInSettings = Pick<Config, 'PERPLEXITY_API'>

/** A request that began this long ago may still be running. */
const longestRequestMs = 24 * 3_600_000

export function createPriceBook({ database, config, log, syncedPrices }: PriceBookDeps): PriceBook {
  const db: Kysely<UsageTables> = database.tables()
  const builtIn = createBuiltInCache(config)
  let table = new PriceTable([])

  const reload = oneAfterAnother(async () => {
    table = new PriceTable(await listPricesSince(db, new Date(Date.now() - longestRequestMs)))
  })
  const takeSynced = oneAfterAnother(async () => {
    const listed = await syncedPrices()
    await changeSynced(db, (inForce) => syncedDifference(inForce, listed, new Date()))
  })
  const quietly = (work: () => Promise<void>) => (): void =>
    void work().catch((error: unknown) => log.warn({ error }, 'prices could not be read again'))

  return {
    priceFor(groupId, provider, model, at) {
      const stored = table.find(groupId, model, at)
      if (stored) return { row: stored, isStored: true }
      const row = provider === null ? null : builtIn(provider, model, at)
      return row && { row, isStored: table.hasBuiltIn(row.id) }
    },
    reload,
    async start() {
      await database.listener.on('usage_prices_changed', quietly(reload), quietly(reload))
      await database.listener.on('gateway_changed', quietly(takeSynced), quietly(takeSynced))
      await takeSynced()
      await reload()
    },
    async stop() {},
  }
}

/** Names of models are the clients' choice, so what is remembered about them is bounded. */
const mostRemembered = 2_000

function createBuiltInCache(config: BuiltInSettings) {
  const known = new Map<string, PriceRow | null>()
  return (provider: string, model: string, at: Date): PriceRow | null => {
    const name = `${provider} ${model}`
    const remembered = known.get(name)
    if (remembered !== undefined && (remembered === null || holdsAt(remembered, at))) return remembered
    const found = builtInPrice(config, provider, model, at)
    if (known.size >= mostRemembered) known.clear()
    known.set(name, found)
    return found
  }
}

function holdsAt(row: PriceRow, at: Date): boolean {
  return (
    Date.parse(row.effective_from) <= at.getTime() &&
    (row.effective_to === null || at.getTime() < Date.parse(row.effective_to))
  )
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
