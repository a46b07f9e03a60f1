import type { ColumnType } from 'kysely'

/** Money and token counts come from PostgreSQL as text, so that no digit is lost. */
export type Decimal = string

export interface UsageTables {
  'usage.model_pricing': {
    id: string
    group_id: string | null
    model_id: string
    source: PriceSource
    input_price_per_1m: Decimal
    output_price_per_1m: Decimal
    cache_read_price_per_1m: Decimal | null
    cache_write_price_per_1m: Decimal | null
    cache_write_long_price_per_1m: Decimal | null
    audio_input_price_per_1m: Decimal | null
    audio_output_price_per_1m: Decimal | null
    request_price: Decimal | null
    unit_prices: Json<Record<string, Decimal>> | null
    tiers: Json<PriceTier[]> | null
    effective_from: Date
    effective_to: Date | null
    created_by: string | null
    created_at: ColumnType<Date, Date | undefined, never>
  }
  'usage.usage_logs': {
    id: string
    group_id: string
    api_key_id: string | null
    provider_key_id: string | null
    price_id: string | null
    started_at: Date
    ended_at: Date
    prompt_tokens: Decimal
    completion_tokens: Decimal
    cached_tokens: Decimal
    cache_write_tokens: Decimal
    cache_write_long_tokens: Decimal
    reasoning_tokens: Decimal
    audio_input_tokens: Decimal
    audio_output_tokens: Decimal
    duration_ms: number
    ttft_ms: number | null
    status_code: number
    streamed: boolean
    usage_source: UsageSource
    provider: string | null
    model: string
    endpoint: string
    input_cost: Decimal | null
    output_cost: Decimal | null
    stated_cost: Decimal | null
    user_label: string | null
    error_message: string | null
    units: Json<Record<string, number>> | null
    metadata: Json<Record<string, unknown>> | null
    session_key: string | null
    subagent_key: string | null
    upstream_request_id: string | null
    route: string | null
    attempts: Json<LedgerAttempt[]> | null
    attempt_count: number | null
    upstream_ms: number | null
  }
  'usage.hourly': Sums & { hour: Date }
  /** Kept by a trigger on the hours. Dates are read as text: the driver would make them local midnights. */
  'usage.daily': Sums & { day: string }
  'usage.monthly': Sums & { month: string }
  /** Kept by triggers on the log: what the other sums do not know. */
  'usage.daily_parts': {
    group_id: string
    kind: string
    day: string
    value: string
    requests: Decimal
    errors: Decimal
    unpriced_requests: Decimal
    prompt_tokens: Decimal
    completion_tokens: Decimal
    total_cost: Decimal | null
  }
  'usage.days_to_sum': { day: string }
}

interface Sums {
  group_id: string
  api_key_id: string | null
  provider: string | null
  model: string
  is_error: boolean
  requests: Decimal
  unpriced_requests: Decimal
  estimated_requests: Decimal
  prompt_tokens: Decimal
  completion_tokens: Decimal
  cached_tokens: Decimal
  cache_write_tokens: Decimal
  reasoning_tokens: Decimal
  input_cost: Decimal | null
  output_cost: Decimal | null
  duration_ms: Decimal
}

/** What a call is billed for. Zeros and nulls are left out of what is stored. */
export interface BilledTokens {
  prompt_tokens: number
  completion_tokens: number
  cached_tokens: number
  cache_write_tokens: number
  cache_write_long_tokens: number
  reasoning_tokens: number
  audio_input_tokens: number
  audio_output_tokens: number
  units: Readonly<Record<string, number>> | null
}

/** One call to a provider as it is stored in `attempts`: enough to be priced again. */
export interface LedgerAttempt extends Partial<BilledTokens> {
  provider: string
  provider_key_id: string
  model: string
  status_code: number | null
  error_code: string | null
  started_at: string
  duration_ms: number
  usage_source: UsageSource
  price_id: string | null
  /** Null when it is not known what the call cost. */
  input_cost: string | null
  output_cost: string | null
}

export type PriceSource = 'own' | 'synced' | 'built_in'
export type UsageSource = 'provider' | 'estimated' | 'none'

/** Prices that hold for the whole request when it has more input tokens than `above_tokens`. */
export interface PriceTier {
  above_tokens: number
  input_price_per_1m?: Decimal
  output_price_per_1m?: Decimal
  cache_read_price_per_1m?: Decimal
  cache_write_price_per_1m?: Decimal
  cache_write_long_price_per_1m?: Decimal
}

type Json<T> = ColumnType<T, string | null, string | null>
