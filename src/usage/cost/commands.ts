import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import type { Price, PriceBody } from '../contract.ts'
import { customPrice } from './price-input.ts'
import { openPrices } from './price-store.ts'
import { toPrice } from './pricing.ts'
import { reprice, type RepricedModel, type RepriceOptions } from './reprice.ts'

/** What the command line does to prices and costs, beside a running server or without one. */
export function repriceUsage(
  { database, config }: { database: Database; config: Config },
  wish: RepriceOptions,
): Promise<RepricedModel[]> {
  return reprice(database.tables(), config, wish)
}

/**
 * Sets a group's own price from a time on, which may lie in the past. The requests of that time keep their costs
 * until they are repriced; own prices that began later hold no more.
 */
export async function setPriceFrom(
  database: Database,
  groupId: string,
  model: string,
  body: PriceBody,
  from: Date,
): Promise<Price> {
  const row = customPrice(groupId, model, body, from)
  await openPrices(database.tables(), [row], null)
  return toPrice(row)
}
