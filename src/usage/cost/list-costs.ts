import { add, decimal, writeDecimal } from '#kernel/decimal'
import { calculateCost, type Billed } from './cost.ts'
import type { PriceCatalog } from './price-catalog.ts'

/** Tokens of one model that were used outside the gateway; the input includes what was cached. */
export interface UsedTokens {
  input_tokens: number
  cached_tokens: number
  cache_write_tokens: number
  output_tokens: number
}

/** Null: no price of the model is known. */
export type ListCost = (model: string, at: Date, tokens: UsedTokens) => { cost: string } | null

/** Prices of requests that the log does not have. Tokens may be those of many, so tiers and prices per request are left out. */
export function createListCosts(
  prices: Pick<PriceCatalog, 'priceFor' | 'loadBackTo'>,
  providerOf: (groupId: string, model: string) => string | null,
) {
  return async (groupId: string, since: Date): Promise<ListCost> => {
    await prices.loadBackTo(since)
    return (model, at, tokens) => {
      const row = prices.priceFor(groupId, providerOf(groupId, model), model, at)?.row
      const billed = {
        prompt_tokens: tokens.input_tokens,
        cached_tokens: tokens.cached_tokens,
        cache_write_tokens: tokens.cache_write_tokens,
        completion_tokens: tokens.output_tokens,
      }
      const cost = row && calculateCost({ ...plain, ...billed }, { ...row, tiers: null, request_price: null })
      return cost ? { cost: writeDecimal(add(decimal(cost.input_cost), decimal(cost.output_cost))) } : null
    }
  }
}

const plain: Omit<Billed, 'prompt_tokens' | 'cached_tokens' | 'cache_write_tokens' | 'completion_tokens'> = {
  ...{ cache_write_long_tokens: 0, reasoning_tokens: 0, audio_input_tokens: 0, audio_output_tokens: 0 },
  units: null,
  usage_source: 'provider',
  status_code: 200,
}
