import type { Kysely } from 'kysely'
import { decimal, subtract } from '#kernel/decimal'
import type { PriceCatalog } from './cost/price-catalog.ts'
import { spentBefore, spentByEnd, spentRequests } from './log/spent-store.ts'
import type { PriceRow } from './row.ts'
import type { UsageTables } from './tables.ts'

/** What tokens cost at most, in US dollars: per million, and per request. */
export interface TokenPrice {
  readonly input: string
  readonly output: string
  readonly request: string
}

/** The questions of limits to the usage log and the prices. */
export function createForLimits(
  db: Kysely<UsageTables>,
  prices: Pick<PriceCatalog, 'priceFor'>,
  caughtUp: () => Promise<void>,
) {
  const known = new WeakMap<PriceRow, TokenPrice>()
  return {
    /** The dearest way to bill a request for the model now; null where no price is known. */
    tokenPrice(groupId: string, provider: string, model: string): TokenPrice | null {
      const row = prices.priceFor(groupId, provider, model, new Date())?.row
      if (!row) return null
      let price = known.get(row)
      if (!price) known.set(row, (price = dearest(row)))
      return price
    },
    spent: spentBefore.bind(null, db),
    spentByEnd: spentByEnd.bind(null, db),
    requests: spentRequests.bind(null, db),
    caughtUp,
  }
}

function dearest(row: PriceRow): TokenPrice {
  const inputs = [row.audio_input_price_per_1m]
  const outputs = [row.audio_output_price_per_1m]
  for (const prices of [row, ...(row.tiers ?? [])]) {
    const { cache_write_price_per_1m: write = null, cache_write_long_price_per_1m: long = null } = prices
    inputs.push(prices.input_price_per_1m ?? null, write, long)
    outputs.push(prices.output_price_per_1m ?? null)
  }
  return { input: highest(inputs), output: highest(outputs), request: row.request_price ?? '0' }
}

const highest = (prices: readonly (string | null)[]): string =>
  prices
    .filter((price) => price !== null)
    .reduce((most, price) => (subtract(decimal(price), decimal(most)).digits > 0n ? price : most), '0')
