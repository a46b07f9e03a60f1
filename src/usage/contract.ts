import { z } from 'zod'

/** Shapes of the usage routes. Browser-safe. Money is decimal text: a JSON number would lose digits. */

const money = z.string().nullable()
const count = z.int()

export const usageLog = z.object({
  id: z.uuid(),
  request_id: z.string(),
  group_id: z.uuid(),
  api_key_id: z.uuid().nullable(),
  provider_key_id: z.uuid().nullable(),
  provider: z.string().nullable(),
  model: z.string(),
  endpoint: z.string(),
  user_label: z.string().nullable(),
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  cached_tokens: count,
  cache_write_tokens: count,
  cache_write_long_tokens: count,
  reasoning_tokens: count,
  audio_input_tokens: count,
  audio_output_tokens: count,
  input_cost: money,
  output_cost: money,
  total_cost: money,
  /** What the provider says it cost. */
  stated_cost: money,
  price_id: z.uuid().nullable(),
  usage_source: z.enum(['provider', 'estimated', 'none']),
  units: z.record(z.string(), z.number()).nullable(),
  duration_ms: count,
  ttft_ms: count.nullable(),
  streamed: z.boolean(),
  status_code: z.int(),
  error_message: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  started_at: z.string(),
  ended_at: z.string(),
  created_at: z.string(),
})

/** One line of "why does it cost that". The lines of a side add up to its cost. */
export const costLine = z.object({
  side: z.enum(['input', 'output']),
  what: z.string(),
  quantity: z.number(),
  /** `tokens`, `request`, or the name of another billed unit. */
  unit: z.string(),
  /** US dollars for a million tokens, or for one of another unit. */
  price: z.string(),
  cost: z.string(),
})

const priceFields = {
  input_price_per_1m: z.string(),
  output_price_per_1m: z.string(),
  cache_read_price_per_1m: money,
  cache_write_price_per_1m: money,
  cache_write_long_price_per_1m: money,
  audio_input_price_per_1m: money,
  audio_output_price_per_1m: money,
  request_price: money,
}

export const priceTier = z.object({
  above_tokens: z.int().positive(),
  input_price_per_1m: z.string().optional(),
  output_price_per_1m: z.string().optional(),
  cache_read_price_per_1m: z.string().optional(),
  cache_write_price_per_1m: z.string().optional(),
  cache_write_long_price_per_1m: z.string().optional(),
})

export const price = z.object({
  id: z.uuid(),
  group_id: z.uuid().nullable(),
  model_id: z.string(),
  source: z.enum(['own', 'synced', 'built_in']),
  ...priceFields,
  unit_prices: z.record(z.string(), z.string()).nullable(),
  tiers: z.array(priceTier).nullable(),
  effective_from: z.string(),
  effective_to: z.string().nullable(),
})

/** One log row opened: with the price it was reckoned by and the reckoning. */
export const usageLogDetail = usageLog.extend({
  price: price.nullable(),
  cost_lines: z.array(costLine).nullable(),
  /** Names for people; null where the key is gone. */
  api_key_name: z.string().nullable(),
  provider_key_name: z.string().nullable(),
})

const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'give a date as YYYY-MM-DD')
  .refine((text) => new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) ?? false, 'there is no such day')

export const usageFilter = z.object({
  start_date: day.optional(),
  end_date: day.optional(),
  model: z.string().min(1).max(300).optional(),
  provider: z.string().min(1).max(100).optional(),
  /** `none`: requests from the playground, which have no key. */
  api_key_id: z.uuid().or(z.literal('none')).optional(),
})

export const logFilter = usageFilter.extend({ status: z.enum(['ok', 'error']).optional() })

const whole = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `give a whole number from ${minimum} to ${maximum}`)
    .transform(Number)
    .refine((n) => n >= minimum && n <= maximum, `give a whole number from ${minimum} to ${maximum}`)

export const logQuery = logFilter.extend({
  limit: whole(1, 1000).prefault('50'),
  offset: whole(0, 1_000_000_000).prefault('0'),
  cursor: z.string().max(100).optional(),
  group_id: z.uuid().optional(),
})

export const logList = z.object({
  data: z.array(usageLog),
  limit: z.int(),
  offset: z.int(),
  total: z.int(),
  next_cursor: z.string().nullable(),
})

export const usageSums = z.object({
  requests: count,
  errors: count,
  unpriced_requests: count,
  estimated_requests: count,
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  cached_tokens: count,
  cache_write_tokens: count,
  reasoning_tokens: count,
  /** Null when no request had a known price. */
  input_cost: money,
  output_cost: money,
  total_cost: money,
  avg_duration_ms: z.number().nullable(),
})

export const byModel = usageSums.extend({ model: z.string(), provider: z.string().nullable() })
export const byProvider = usageSums.extend({ provider: z.string().nullable() })
export const byKey = usageSums.extend({
  api_key_id: z.uuid().nullable(),
  /** Null where the key is gone, or there was none. */
  api_key_name: z.string().nullable(),
})
export const daily = usageSums.extend({ date: z.string() })
/** For charts of a single day. */
export const hourly = usageSums.extend({ hour: z.string() })

const given = z.string().or(z.number())

/** A price as it is set: US dollars for a million tokens, or each; as text or as a number. */
export const priceBody = z.object({
  input_price_per_1m: given,
  output_price_per_1m: given,
  cache_read_price_per_1m: given.nullish(),
  cache_write_price_per_1m: given.nullish(),
  cache_write_long_price_per_1m: given.nullish(),
  audio_input_price_per_1m: given.nullish(),
  audio_output_price_per_1m: given.nullish(),
  request_price: given.nullish(),
  unit_prices: z.record(z.string().min(1).max(64), given).nullish(),
  tiers: z
    .array(
      z.object({
        above_tokens: z.int().positive(),
        input_price_per_1m: given.optional(),
        output_price_per_1m: given.optional(),
        cache_read_price_per_1m: given.optional(),
        cache_write_price_per_1m: given.optional(),
        cache_write_long_price_per_1m: given.optional(),
      }),
    )
    .max(10)
    .nullish(),
  group_id: z.uuid().optional(),
})

export const pricesBody = z
  .array(priceBody.extend({ model_id: z.string().min(1).max(300) }))
  .min(1)
  .max(500)

export const priceList = z.object({ data: z.array(price) })

/** The price in force for a model and all that went before it, newest first. */
export const modelPrices = z.object({
  model_id: z.string(),
  current: price.nullable(),
  history: z.array(price),
})

export type UsageLog = z.infer<typeof usageLog>
export type UsageLogDetail = z.infer<typeof usageLogDetail>
export type CostLine = z.infer<typeof costLine>
export type Price = z.infer<typeof price>
export type PriceBody = z.infer<typeof priceBody>
export type UsageFilter = z.infer<typeof usageFilter>
export type LogFilter = z.infer<typeof logFilter>
export type LogList = z.infer<typeof logList>
export type UsageSums = z.infer<typeof usageSums>
export type ByModel = z.infer<typeof byModel>
export type ByProvider = z.infer<typeof byProvider>
export type ByKey = z.infer<typeof byKey>
export type Daily = z.infer<typeof daily>
export type Hourly = z.infer<typeof hourly>
export type ModelPrices = z.infer<typeof modelPrices>
