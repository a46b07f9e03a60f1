import { z } from 'zod'

/** Shapes of what is spent, by whom and why. Browser-safe. Money is a decimal string. */

const dollars = z.string().meta({ pattern: '^-?[0-9]+([.][0-9]+)?$', examples: ['12.5'] })
const count = z.int().meta({ examples: [128] })
const day = z.string().meta({ format: 'date', examples: ['2026-11-01'] })

/** What spend can be split by. */
export const spendDimensions = [
  ...(['model', 'provider', 'api_key', 'person', 'provider_key', 'route', 'user', 'tag'] as const),
]
export type SpendDimension = (typeof spendDimensions)[number]

const figures = {
  requests: count,
  errors: count,
  unpriced_requests: count,
  total_tokens: count,
  total_cost: dollars.nullable().meta({ description: 'Null when no request had a known price.' }),
  before: z
    .object({ requests: count, total_cost: dollars.nullable() })
    .meta({ description: 'The same in the period before.' }),
  change: dollars.meta({ description: 'How much more was spent than in the period before.' }),
}
export const spendFigures = z.object(figures).meta({ id: 'SpendFigures' })

const name = z
  .string()
  .nullable()
  .meta({ description: 'Null where the name is not known.', examples: ['CI'] })
const id = z
  .string()
  .nullable()
  .meta({
    description:
      'Null: requests without one, such as those without a route; of keys and people those from the playground.',
    examples: ['fast'],
  })

export const spendRow = z.object({ id, name, ...figures }).meta({ id: 'SpendRow' })

const span = z.object({ start_date: day, end_date: day })

export const spend = z
  .object({
    by: z.enum(spendDimensions),
    ...span.shape,
    before: span,
    total: spendFigures,
    data: z.array(spendRow).meta({ description: 'The dearest first.' }),
    others: z
      .object({ count, ...figures })
      .nullable()
      .meta({ description: 'What is not listed, as one; null when all are, and for tags, which overlap.' }),
    is_complete: z
      .boolean()
      .meta({ description: 'False while older days are still being summed after an upgrade.' }),
  })
  .meta({ id: 'Spend' })

/** Dimensions whose values have sums by day of their own, which know no other filter. */
export const partDimensions = ['provider_key', 'route', 'user', 'tag'] as const
export type PartDimension = (typeof partDimensions)[number]

export const spendDays = z
  .object({
    by: z.enum(partDimensions),
    id: z.string().meta({ examples: ['fast'] }),
    ...span.shape,
    data: z
      .array(
        z.object({
          date: day,
          requests: count,
          errors: count,
          unpriced_requests: count,
          total_tokens: count,
          total_cost: figures.total_cost,
        }),
      )
      .meta({ description: 'Every day of the period.' }),
    is_complete: z
      .boolean()
      .meta({ description: 'False while older days are still being summed after an upgrade.' }),
  })
  .meta({ id: 'SpendDays' })

const changed = { before: dollars, now: dollars, change: dollars }

export const spendChange = z
  .object({
    by: z.enum(spendDimensions),
    ...span.shape,
    before: span,
    total: z.object(changed),
    data: z
      .array(z.object({ id, name, ...changed }))
      .meta({ description: 'The largest change first, up or down.' }),
    others: z
      .object({ count, ...changed })
      .meta({ description: 'All that is not listed: the changes add up to that of the total.' }),
    is_complete: z.boolean(),
  })
  .meta({ id: 'SpendChange' })

export const spendForecast = z
  .object({
    month: day.meta({ description: 'Its first day (UTC).' }),
    spent: dollars.meta({ description: 'From the first of the month until now.' }),
    forecast: dollars
      .nullable()
      .meta({ description: 'Of the whole month; null without a whole day of usage in the last four weeks.' }),
    low: dollars.nullable().meta({ description: 'If every day is like the cheapest of its weekday.' }),
    high: dollars.nullable().meta({ description: 'If every day is like the dearest of its weekday.' }),
    days_used: count.meta({ description: 'How many days it is calculated from, at most 28.' }),
    days: z
      .array(z.object({ date: day, cost: dollars, is_forecast: z.boolean() }))
      .meta({ description: 'Every day of the month.' }),
  })
  .meta({ id: 'SpendForecast' })

export const groupSpend = z
  .object({
    ...span.shape,
    before: span,
    total: spendFigures,
    data: z.array(spendRow).meta({ description: 'The groups that you own, the dearest first.' }),
  })
  .meta({ id: 'GroupSpend' })

export type SpendFigures = z.infer<typeof spendFigures>
export type SpendRow = z.infer<typeof spendRow>
export type SpendDays = z.infer<typeof spendDays>
export type Spend = z.infer<typeof spend>
export type SpendChange = z.infer<typeof spendChange>
export type SpendForecast = z.infer<typeof spendForecast>
export type GroupSpend = z.infer<typeof groupSpend>
