import type { Database } from '#kernel/db'
import type { Price, PriceBody } from '../contract.ts'
import type { PriceSources } from './built-in.ts'
import { customPrice } from './price-input.ts'
import { openPrices } from './price-store.ts'
import { toPrice } from './pricing.ts'
import { reprice, type RepricedModel, type RepriceOptions } from './reprice.ts'

/** Recalculates the costs of a period from the command line, with or without a running server. */
export function repriceUsage(
  database: Database,
  sources: PriceSources,
  options: RepriceOptions,
): Promise<RepricedModel[]> {
  return reprice(database.tables(), sources, options)
}

/**
 * Sets a group's custom price from a time on, which may be in the past. Requests of that time keep their costs until they
 * are repriced; custom prices that began later no longer apply.
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
