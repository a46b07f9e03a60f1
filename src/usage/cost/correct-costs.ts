import type { Kysely } from 'kysely'
import type { Log } from '#kernel/log'
import type { UsageTables } from '../tables.ts'
import type { PriceSources } from './built-in.ts'
import { noticeMs } from './price-store.ts'
import { reprice } from './reprice.ts'

export interface PriceChange {
  groupId: string
  models: readonly string[]
  at: Date
}

export type CorrectCosts = (change: PriceChange) => void

/**
 * A custom price applies at once, and other processes hear of it a moment later. A request that began and ended in that
 * moment may have been priced by the row before: its cost is calculated again once every process knows of the change.
 */
export function createCorrectCosts(
  db: Kysely<UsageTables>,
  sources: PriceSources,
  log: Pick<Log, 'warn'>,
): CorrectCosts {
  return ({ groupId, models, at }) => {
    const correct = async (): Promise<void> => {
      for (const model of models)
        await reprice(db, sources, { groupId, model, from: at, to: new Date(), apply: true })
    }
    setTimeout(() => {
      correct().catch((error: unknown) =>
        log.warn({ error }, 'costs could not be corrected after a new price'),
      )
    }, noticeMs).unref()
  }
}
