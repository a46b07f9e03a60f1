import { z } from 'zod'

/** Shapes of the routes of limits. Browser-safe. */

export const limitSubjects = ['group', 'api_key', 'user', 'model', 'provider', 'tag'] as const
export const metrics = ['cost', 'tokens', 'requests', 'concurrent'] as const
export const windows = ['minute', 'hour', 'day', 'week', 'month', 'total'] as const
export const actions = ['block', 'warn'] as const
export const outageActions = ['refuse', 'allow'] as const
export const unpricedActions = ['block', 'allow'] as const

export type SubjectType = (typeof limitSubjects)[number]
export type Metric = (typeof metrics)[number]
export type Window = (typeof windows)[number]
export type Action = (typeof actions)[number]
export type OnOutage = (typeof outageActions)[number]
export type Unpriced = (typeof unpricedActions)[number]

const time = z.string().meta({ format: 'date-time' })

const subject = z.object({
  type: z.enum(limitSubjects),
  id: z
    .string()
    .min(1)
    .max(300)
    .nullable()
    .optional()
    .meta({
      description:
        'None for the group itself. The ID of an API key or of a person; `label:` and the `user` of requests; the name of a model, in which `*` stands for any characters; the ID of a provider; a tag of `metadata.tags`.',
      examples: ['0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f'],
    }),
})

const amount = z.union([z.string().max(40), z.number()]).meta({
  description: 'US dollars as a decimal string for `cost`, a whole number for the others.',
  examples: ['25.00'],
})

const settings = {
  action: z.enum(actions).meta({ description: '`warn`: nothing is refused.' }),
  on_outage: z.enum(outageActions).meta({
    description:
      'What happens to requests while the database is unavailable and the share of the process is used up.',
  }),
  unpriced: z.enum(unpricedActions).meta({
    description: 'With `cost`: whether models without a price may be used.',
  }),
}

export const limit = z
  .object({
    id: z.uuid(),
    group_id: z.uuid(),
    subject: z
      .object({ type: z.enum(limitSubjects), id: z.string().nullable() })
      .meta({ examples: [{ type: 'group', id: null }] }),
    metric: z.enum(metrics),
    amount,
    window: z.enum(windows).nullable().meta({ description: 'None for `concurrent`.' }),
    ...settings,
    used: amount.meta({ description: 'In the window that runs now.', examples: ['3.42'] }),
    reserved: amount.meta({ description: 'By requests that run now.', examples: ['0.12'] }),
    starts_at: time.nullable().meta({ description: 'When the window began.' }),
    resets_at: time.nullable().meta({ description: 'When the window ends; null if it never does.' }),
    created_at: time,
  })
  .meta({ id: 'Limit' })

const newLimit = z.object({
  subject,
  metric: z.enum(metrics),
  amount,
  window: z.enum(windows).nullable().optional(),
  action: settings.action.optional(),
  on_outage: settings.on_outage.optional(),
  unpriced: settings.unpriced.optional(),
  group_id: z.uuid().optional(),
})

export const newLimitBody = newLimit.meta({
  examples: [{ subject: { type: 'group' }, metric: 'cost', amount: '25.00', window: 'day' }],
})

export const changeLimitBody = z
  .object({
    amount: amount.optional(),
    action: settings.action.optional(),
    on_outage: settings.on_outage.optional(),
    unpriced: settings.unpriced.optional(),
  })
  .meta({ examples: [{ amount: '50.00' }] })

export const limitList = z.object({ data: z.array(limit) })

const count = z.int().meta({ minimum: 0, examples: [12] })
const dollars = z.string().meta({ examples: ['1.28'] })

export const triedLimit = z
  .object({
    would_have_blocked: z.object({
      requests: count,
      cost: dollars.meta({ description: 'What they cost, in US dollars.' }),
    }),
    days: z.array(
      z.object({
        date: z.string().meta({ format: 'date' }),
        requests: count.meta({ description: 'All requests of the subject on that day.' }),
        blocked: count,
        cost: dollars.meta({ description: 'Of all requests.' }),
        blocked_cost: dollars,
      }),
    ),
    is_complete: z.boolean().meta({
      description: 'False: there were more requests than are looked at, and the first days are missing.',
    }),
    since: time.meta({ description: 'The first moment that was looked at.' }),
  })
  .meta({ id: 'TriedLimit' })

export type Limit = z.infer<typeof limit>
export type NewLimit = z.infer<typeof newLimit>
export type LimitChange = z.infer<typeof changeLimitBody>
export type TriedLimit = z.infer<typeof triedLimit>
