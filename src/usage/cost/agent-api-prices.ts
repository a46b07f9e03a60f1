import type { PriceRow } from '../row.ts'

export type Prices = Omit<
  PriceRow,
  'id' | 'group_id' | 'model_id' | 'source' | 'effective_from' | 'effective_to'
>

/**
 * Perplexity's Agent API runs every Sonar tier on one model, at other prices than the old API that the table of
 * prices knows: for a million tokens, and for each use of a tool.
 */
const sonar: Prices = {
  input_price_per_1m: '0.25',
  output_price_per_1m: '2.5',
  cache_read_price_per_1m: '0.0625',
  cache_write_price_per_1m: null,
  cache_write_long_price_per_1m: null,
  audio_input_price_per_1m: null,
  audio_output_price_per_1m: null,
  request_price: null,
  unit_prices: { search_web: '0.0025', web_search: '0.0025', image_search: '0.0025', fetch_url: '0.0005' },
  tiers: null,
}

export function agentApiPrices(model: string): Prices | null {
  return /^(perplexity\/)?sonar(-|$)/.test(model) ? sonar : null
}
