import { z } from 'zod'

/** Shapes of routes: names of a group for one or more models. Browser-safe. */

export const strategies = ['order', 'weighted', 'least_busy', 'cheapest'] as const
export type Strategy = (typeof strategies)[number]

export const maxTargets = 20
export const maxAttempts = 10

const tokens = z.int().min(0).max(100_000_000)
const milliseconds = z.int().min(1).max(3_600_000)
const decimal = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,12})?$/, 'must be a decimal number, such as "2.5"')
  .or(z.number().min(0).max(1_000_000))

export const condition = z
  .strictObject({
    max_input_tokens: tokens
      .optional()
      .meta({ description: 'Requests with more are left to other targets.' }),
    min_input_tokens: tokens.optional(),
    tools: z.boolean().optional().meta({ description: 'Only requests with tools, or only those without.' }),
    images: z.boolean().optional().meta({ description: 'Only requests with images, or only those without.' }),
    max_input_price_per_1m: decimal
      .optional()
      .meta({ description: 'While the model has a price and costs at most this, in US dollars.' }),
  })
  .meta({ examples: [{ max_input_tokens: 100000 }] })

export const routeTarget = z
  .strictObject({
    model: z
      .string()
      .min(1)
      .max(300)
      .meta({ examples: ['my-model'] }),
    provider_key_id: z.uuid().nullish().meta({ description: 'Ties the target to one key of its provider.' }),
    weight: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .meta({ description: 'For `weighted`; 1 where it is missing.' }),
    when: condition.optional(),
  })
  .meta({ examples: [{ model: 'my-model', weight: 9 }] })

/** A model's name, so anything that a client may write as one. */
export const routeName = z
  .string()
  .max(100)
  .regex(/^[\x21-\x7e]+$/, 'must have no spaces and only visible ASCII characters')
  .refine((name) => !/^\.{1,2}$/.test(name), 'must not be a dot or two')
  .meta({ examples: ['fast'] })

const fields = {
  name: routeName,
  description: z.string().trim().max(500),
  strategy: z.enum(strategies).meta({
    description:
      '`order`: as they are listed. `weighted`: each gets its share of the conversations, by weight. `least_busy`: fewest requests under way first. `cheapest`: by list price.',
  }),
  targets: z.array(routeTarget).min(1).max(maxTargets),
  attempts: z
    .int()
    .min(1)
    .max(maxAttempts)
    .meta({ description: 'The most calls to providers for one request.', examples: [3] }),
  timeout_ms: milliseconds.nullable().meta({ description: 'For the whole request.', examples: [60000] }),
  first_token_timeout_ms: milliseconds
    .nullable()
    .meta({ description: 'Until the next target is tried.', examples: [null] }),
}

const example = {
  name: 'fast',
  description: 'Short answers',
  strategy: 'order',
  targets: [{ model: 'my-model', when: { max_input_tokens: 100000 } }, { model: 'my-other-model' }],
} as const

export const routeBody = z
  .strictObject({
    name: fields.name,
    description: fields.description.optional(),
    strategy: fields.strategy.optional(),
    targets: fields.targets,
    attempts: fields.attempts
      .nullish()
      .meta({ description: 'The number of targets and one more where it is missing.' }),
    timeout_ms: fields.timeout_ms.optional(),
    first_token_timeout_ms: fields.first_token_timeout_ms.optional(),
    group_id: z.uuid().optional(),
  })
  .meta({ examples: [example] })

/** What is not sent keeps its value. */
export const routeChange = routeBody
  .omit({ group_id: true })
  .partial()
  .meta({ examples: [{ strategy: 'cheapest' }] })

const time = z.iso.datetime({ offset: true })

export const namedRoute = z.object({ ...fields, created_at: time, updated_at: time }).meta({
  id: 'Route',
  examples: [
    {
      ...{ ...example, attempts: 3, timeout_ms: null, first_token_timeout_ms: null },
      created_at: '2026-11-16T09:30:00.000Z',
      updated_at: '2026-11-16T09:30:00.000Z',
    },
  ],
})

export const routeList = z.object({ data: z.array(namedRoute) })

export const explainBody = z
  .strictObject({
    input_tokens: tokens.optional(),
    tools: z.boolean().optional().meta({ description: 'The request has tools.' }),
    images: z.boolean().optional().meta({ description: 'The request has images.' }),
    group_id: z.uuid().optional(),
  })
  .meta({ examples: [{ input_tokens: 12000, tools: true }] })

const explanation = z.object({
  model: z.string().meta({ examples: ['my-model'] }),
  provider: z
    .string()
    .nullable()
    .meta({ examples: ['my-provider'] }),
  provider_key_id: z.uuid().nullable().meta({ description: 'The key that the call would be made with.' }),
  decision: z.enum(['used', 'fallback', 'left_out']).meta({
    description: '`used`: tried first. `fallback`: tried when those before it failed. `left_out`: not tried.',
  }),
  reason: z.string().meta({ examples: ['the first that fits'] }),
})

export const routeExplanation = z.object({ targets: z.array(explanation) }).meta({ id: 'RouteExplanation' })

export type Explanation = z.infer<typeof explanation>
export type RouteExplanation = z.infer<typeof routeExplanation>
export type RouteCondition = z.infer<typeof condition>
export type RouteTarget = z.infer<typeof routeTarget>
export type RouteBody = z.infer<typeof routeBody>
export type RouteChange = z.infer<typeof routeChange>
export type NamedRoute = z.infer<typeof namedRoute>
