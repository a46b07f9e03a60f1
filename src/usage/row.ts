import type { LedgerAttempt, PriceSource, PriceTier, UsageSource } from './tables.ts'

/**
 * A settled request as it goes to `usage.usage_logs`: the names are those of the columns,
 * money is decimal text, times are ISO 8601.
 */
export interface LedgerRow {
  id: string
  group_id: string
  api_key_id: string | null
  provider_key_id: string | null
  price_id: string | null
  started_at: string
  ended_at: string
  prompt_tokens: number
  completion_tokens: number
  cached_tokens: number
  cache_write_tokens: number
  cache_write_long_tokens: number
  reasoning_tokens: number
  audio_input_tokens: number
  audio_output_tokens: number
  duration_ms: number
  ttft_ms: number | null
  status_code: number
  streamed: boolean
  usage_source: UsageSource
  provider: string | null
  model: string
  endpoint: string
  input_cost: string | null
  output_cost: string | null
  stated_cost: string | null
  user_label: string | null
  session_key: string | null
  subagent_key: string | null
  upstream_request_id: string | null
  error_message: string | null
  units: Readonly<Record<string, number>> | null
  metadata: Readonly<Record<string, unknown>> | null
  route: string | null
  /** Null where one call to a provider says no more than the row. */
  attempts: readonly LedgerAttempt[] | null
  /** Null where the row tells: one call, or none without a provider key. */
  attempt_count: number | null
  upstream_ms: number | null
  /** Prices that the database does not have yet: the row brings them along. */
  new_prices: readonly PriceRow[]
}

/** A row of `usage.model_pricing` as a row carries it. */
export interface PriceRow {
  id: string
  group_id: string | null
  model_id: string
  source: PriceSource
  input_price_per_1m: string
  output_price_per_1m: string
  cache_read_price_per_1m: string | null
  cache_write_price_per_1m: string | null
  cache_write_long_price_per_1m: string | null
  audio_input_price_per_1m: string | null
  audio_output_price_per_1m: string | null
  request_price: string | null
  unit_prices: Readonly<Record<string, string>> | null
  tiers: readonly PriceTier[] | null
  effective_from: string
  effective_to: string | null
}
