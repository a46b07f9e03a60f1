import { z } from 'zod'
import { jsonObject } from '#kernel/json-object'

/** Shapes of the usage routes. Browser-safe. Money is a decimal string: a JSON number would lose digits. */

const dollars = z.string().meta({ pattern: '^-?[0-9]+([.][0-9]+)?$', examples: ['0.00125'] })
const money = dollars.nullable()
const count = z.int().meta({ minimum: 0, examples: [128] })
const time = z.string().meta({ format: 'date-time' })
const modelName = z.string().meta({ examples: ['gpt-6-sol'] })
const providerId = z
  .string()
  .nullable()
  .meta({ examples: ['openai'] })
const keyName = z
  .string()
  .nullable()
  .meta({ description: 'Null where the key is deleted, or there was none.', examples: ['CI'] })

const sessionKey = z
  .string()
  .nullable()
  .meta({ examples: [null] })

const logFields = {
  id: z.uuid(),
  request_id: z.string().meta({ examples: ['req_0198c0de7a3b7c1d9e2f5a6b7c8d9e0f'] }),
  group_id: z.uuid(),
  api_key_id: z.uuid().nullable(),
  provider_key_id: z.uuid().nullable(),
  provider: providerId,
  model: modelName,
  endpoint: z.string().meta({ examples: ['/v1/chat/completions'] }),
  user_label: z
    .string()
    .nullable()
    .meta({ description: 'The `user` of the request.', examples: ['ada'] }),
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
  total_cost: money.meta({ description: 'US dollars; null where the price is not known.' }),
  stated_cost: money.meta({ description: 'What the provider says it cost.' }),
  price_id: z.uuid().nullable(),
  usage_source: z.enum(['provider', 'estimated', 'none']),
  units: z
    .record(z.string(), z.number())
    .nullable()
    .meta({ description: 'Billed units besides tokens.', examples: [{ web_search: 2 }] }),
  duration_ms: count,
  ttft_ms: count.nullable().meta({ description: 'Time to the first token of a stream.' }),
  streamed: z.boolean(),
  status_code: z.int().meta({ examples: [200] }),
  error_message: z
    .string()
    .nullable()
    .meta({ examples: [null] }),
  metadata: jsonObject
    .nullable()
    .meta({ description: 'The `metadata` of the request.', examples: [{ feature: 'summary' }] }),
  started_at: time,
  ended_at: time,
  created_at: time,
  session_key: sessionKey.meta({ description: 'The session of a coding assistant that sent the request.' }),
  subagent_key: sessionKey.meta({ description: 'The subagent of that session, where one sent it.' }),
  upstream_request_id: z
    .string()
    .nullable()
    .meta({ description: "The provider's own ID of the request.", examples: ['req_011CQ'] }),
  route: z
    .string()
    .nullable()
    .meta({ description: 'The route that the request named; null without.', examples: ['fast'] }),
  attempt_count: count.meta({ description: 'How many calls to providers it took.', examples: [1] }),
  upstream_ms: count.nullable().meta({
    description: 'How long the request waited for providers; null without a call.',
    examples: [812],
  }),
  own_ms: count.nullable().meta({
    description:
      '`duration_ms` without `upstream_ms`: the time of the server itself, and of a client that sends its body slowly.',
    examples: [2],
  }),
}

export const usageLog = z.object(logFields).meta({ id: 'UsageLog' })

/** One line of "why does it cost that". The lines of a side add up to its cost. */
export const costLine = z
  .object({
    side: z.enum(['input', 'output']),
    what: z.string().meta({ examples: ['prompt'] }),
    quantity: z.number().meta({ examples: [1000] }),
    unit: z.string().meta({
      description: '`tokens`, `request`, or the name of another billed unit.',
      examples: ['tokens'],
    }),
    price: dollars.meta({
      description: 'US dollars per million tokens, or per unit.',
      examples: ['1.25'],
    }),
    cost: dollars,
  })
  .meta({ id: 'CostLine' })

const priceFields = {
  input_price_per_1m: dollars.meta({ examples: ['1.25'] }),
  output_price_per_1m: dollars.meta({ examples: ['10'] }),
  cache_read_price_per_1m: money,
  cache_write_price_per_1m: money,
  cache_write_long_price_per_1m: money,
  audio_input_price_per_1m: money,
  audio_output_price_per_1m: money,
  request_price: money,
}

export const priceTier = z.object({
  above_tokens: z
    .int()
    .positive()
    .meta({ examples: [200000] }),
  input_price_per_1m: dollars.optional(),
  output_price_per_1m: dollars.optional(),
  cache_read_price_per_1m: dollars.optional(),
  cache_write_price_per_1m: dollars.optional(),
  cache_write_long_price_per_1m: dollars.optional(),
})

export const price = z
  .object({
    id: z.uuid(),
    group_id: z.uuid().nullable().meta({ description: 'Null: the price is listed, not custom.' }),
    model_id: modelName,
    source: z.enum(['own', 'synced', 'built_in']).meta({ description: '`own`: a custom price.' }),
    ...priceFields,
    unit_prices: z
      .record(z.string(), z.string())
      .nullable()
      .meta({ examples: [{ web_search: '0.01' }] }),
    tiers: z.array(priceTier).nullable(),
    effective_from: time,
    effective_to: time.nullable().meta({ description: 'Null: the price is in force.' }),
  })
  .meta({ id: 'Price' })

/** One call to a provider. */
export const usageAttempt = z
  .object({
    provider: z.string().meta({ examples: ['openai'] }),
    provider_key_id: z.uuid(),
    model: modelName,
    status_code: z
      .int()
      .nullable()
      .meta({ description: 'Null without a response.', examples: [503] }),
    error_code: z
      .string()
      .nullable()
      .meta({ description: 'Why the call failed, or was not made.', examples: ['provider_error'] }),
    started_at: time,
    duration_ms: count,
    prompt_tokens: count,
    completion_tokens: count,
    total_cost: money.meta({ description: 'By the price of its own model; null where it is not known.' }),
  })
  .meta({ id: 'UsageAttempt' })

/** One log row opened: with the price its cost was calculated by, line by line. */
export const usageLogDetail = z
  .object({
    ...logFields,
    price: price.nullable(),
    cost_lines: z.array(costLine).nullable(),
    api_key_name: keyName,
    provider_key_name: keyName,
    attempts: z
      .array(usageAttempt)
      .meta({ description: 'Every call to a provider, in order. Their costs add up to the total.' }),
    provider_key_names: z
      .record(z.string(), z.string())
      .meta({ description: 'The names of the provider keys of the attempts, by their IDs.', examples: [{}] }),
  })
  .meta({ id: 'UsageLogDetail' })

const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'give a date as YYYY-MM-DD')
  .refine((text) => new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) ?? false, 'there is no such day')
  .meta({ format: 'date' })

/** All runs of an agent, each of which has a key of its own. */
export const runsPrefix = 'agent:'
const runsOfAgent = z.string().regex(/^agent:[a-z0-9][a-z0-9-]{0,62}$/)
/** All keys that a person made. */
export const personPrefix = 'person:'
const apiKeyId = z
  .string()
  .regex(
    /^(?:none|agent:[a-z0-9][a-z0-9-]{0,62}|(?:person:)?[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/,
    'must be the ID of an API key, none, agent: and the ID of an agent, or person: and the ID of a person',
  )

export const usageFilter = z.object({
  start_date: day.optional().meta({ description: 'The first day (UTC).' }),
  end_date: day.optional().meta({ description: 'The last day (UTC), included.' }),
  model: z.string().min(1).max(300).optional().meta({ description: 'Only requests for this model.' }),
  provider: z.string().min(1).max(100).optional().meta({ description: 'Only requests to this provider.' }),
  api_key_id: apiKeyId.optional().meta({
    description:
      'Only requests with this API key; `none` for those from the playground, which have no key; `agent:ID` for those of all runs of an agent; `person:ID` for those with any key that a person made.',
  }),
})

/** One value, or the parameter repeated. */
const several = <Value extends z.ZodType>(value: Value, description: string) =>
  z
    .union([value, z.array(value).min(1).max(50)])
    .optional()
    .meta({ description: `${description} Repeat it for several.` })

const moment = (description: string) =>
  z
    .string()
    .max(40)
    .refine(
      (text) => isMoment.test(text) && Date.parse(text) >= 0 && Date.parse(text) < Date.UTC(9999, 0),
      'give a time as 2026-11-16T12:00:00Z',
    )
    .optional()
    .meta({ description, format: 'date-time' })
const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

const whole = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `give a whole number from ${minimum} to ${maximum}`)
    .transform(Number)
    .refine((n) => n >= minimum && n <= maximum, `give a whole number from ${minimum} to ${maximum}`)

export const logFilter = usageFilter.extend({
  model: several(z.string().min(1).max(300), 'Only requests for this model.'),
  provider: several(z.string().min(1).max(100), 'Only requests to this provider.'),
  api_key_id: several(
    apiKeyId,
    'Only requests with this API key; `none` for those from the playground, which have no key; `agent:ID` for those of all runs of an agent; `person:ID` for those with any key that a person made.',
  ),
  since: moment('Only requests of this time and later. Not together with `start_date`.'),
  until: moment('Only requests before this time. Not together with `end_date`.'),
  q: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({
      description:
        'Only requests whose model, provider or API key has this in its name, in any case; or whose ID begins with it ' +
        '(at least 8 digits after the prefix).',
      examples: ['sonnet'],
    }),
  status: z
    .enum(['ok', 'error'])
    .optional()
    .meta({ description: 'Only requests that succeeded, or that failed.' }),
  session: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Only requests of a session of a coding assistant, or of a subagent, by its key.' }),
  route: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({
      description: 'Only requests that named this route.',
      examples: ['fast'],
    }),
  min_attempts: whole(2, 10)
    .optional()
    .meta({ description: 'Only requests that took at least this many calls to providers, from 2 to 10.' }),
})

/** Rows that are skipped are read. */
const maxOffset = 10_000

export const logQuery = logFilter.extend({
  limit: whole(1, 1000)
    .prefault('50')
    .meta({ description: 'How many to return at most, from 1 to 1000. Defaults to 50.' }),
  offset: whole(0, 1_000_000_000)
    .refine((n) => n <= maxOffset, `must be at most ${maxOffset}; use cursor to page further`)
    .prefault('0')
    .meta({
      description: `How many to skip, at most ${maxOffset}. Defaults to 0. Use \`cursor\` to page further.`,
    }),
  cursor: z.string().max(100).optional().meta({ description: 'The `next_cursor` of the page before.' }),
  group_id: z.uuid().optional(),
})

export const logList = z.object({
  data: z.array(usageLog),
  api_key_names: z
    .record(z.string(), z.string())
    .meta({ description: 'The names of the API keys of this page, by their IDs.', examples: [{}] }),
  limit: z.int().meta({ examples: [50] }),
  offset: z.int().meta({ examples: [0] }),
  total: z.int().meta({ examples: [1] }),
  next_cursor: z
    .string()
    .nullable()
    .meta({ description: 'Null on the last page.', examples: [null] }),
})

const sumFields = {
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
  input_cost: money,
  output_cost: money,
  total_cost: money.meta({ description: 'US dollars; null when no request had a known price.' }),
  avg_duration_ms: z
    .number()
    .nullable()
    .meta({ examples: [840.5] }),
}
export const usageSums = z.object(sumFields).meta({ id: 'UsageTotals' })

const milliseconds = z
  .object({ p50: count.nullable(), p95: count.nullable() })
  .meta({ description: 'Null without any.', examples: [{ p50: 840, p95: 2100 }] })

/** How long the newest requests of a filter took. */
export const usagePercentiles = z
  .object({
    requests: count.meta({ description: 'How many requests were looked at.' }),
    is_all: z.boolean().meta({ description: 'False: more match, and only the newest were looked at.' }),
    duration_ms: milliseconds,
    ttft_ms: milliseconds,
  })
  .meta({ id: 'UsagePercentiles' })

export const byModel = z
  .object({ ...sumFields, model: modelName, provider: providerId })
  .meta({ id: 'UsageByModel' })
export const byProvider = z.object({ ...sumFields, provider: providerId }).meta({ id: 'UsageByProvider' })
export const routeShare = z
  .object({
    route: z.string().meta({ examples: ['fast'] }),
    provider: providerId,
    model: z.string().meta({ examples: ['my-model'] }),
    requests: z.int().meta({ examples: [42] }),
  })
  .meta({ id: 'RouteShare' })
export type RouteShare = z.infer<typeof routeShare>

export const byKey = z
  .object({
    ...sumFields,
    api_key_id: z
      .union([z.uuid(), runsOfAgent])
      .nullable()
      .meta({ description: 'Null: the playground. `agent:ID`: all runs of an agent together.' }),
    api_key_name: keyName,
  })
  .meta({ id: 'UsageByKey' })
export const daily = z
  .object({ ...sumFields, date: z.string().meta({ format: 'date' }) })
  .meta({ id: 'UsageByDay' })
/** For charts of a single day. */
export const hourly = z.object({ ...sumFields, hour: time }).meta({ id: 'UsageByHour' })

const given = z
  .string()
  .meta({ pattern: '^[0-9]{1,9}([.][0-9]{1,12})?$' })
  .or(z.number().meta({ minimum: 0, exclusiveMaximum: 1e9 }))

/** A price as it is set: US dollars per million tokens, or per unit; as a string or as a number. */
const priceInput = z.object({
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

export const priceBody = priceInput.meta({
  examples: [{ input_price_per_1m: '1.25', output_price_per_1m: '10', cache_read_price_per_1m: '0.125' }],
})

export const pricesBody = z
  .array(priceInput.extend({ model_id: z.string().min(1).max(300) }))
  .min(1)
  .max(500)
  .meta({ examples: [[{ model_id: 'gpt-6-sol', input_price_per_1m: '1.25', output_price_per_1m: '10' }]] })

export const priceList = z.object({ data: z.array(price) })

/** The price in force for a model and its history, newest first. */
export const modelPrices = z.object({
  model_id: modelName,
  current: price.nullable(),
  history: z.array(price),
})

export type UsageLog = z.infer<typeof usageLog>
export type UsageLogDetail = z.infer<typeof usageLogDetail>
export type UsageAttempt = z.infer<typeof usageAttempt>
export type CostLine = z.infer<typeof costLine>
export type Price = z.infer<typeof price>
export type PriceBody = z.infer<typeof priceBody>
export type UsageFilter = z.infer<typeof usageFilter>
export type LogFilter = z.infer<typeof logFilter>
export type LogList = z.infer<typeof logList>
export type UsageSums = z.infer<typeof usageSums>
export type UsagePercentiles = z.infer<typeof usagePercentiles>
export type ByModel = z.infer<typeof byModel>
export type ByProvider = z.infer<typeof byProvider>
export type ByKey = z.infer<typeof byKey>
export type Daily = z.infer<typeof daily>
export type Hourly = z.infer<typeof hourly>
export type ModelPrices = z.infer<typeof modelPrices>

export * from './spend/contract.ts'
