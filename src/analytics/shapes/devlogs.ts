import { z } from 'zod'
import { count, date, period, periodQuery, serviceQuery, share, time } from './period.ts'

export const devlogsQuery = z.object({ ...periodQuery, ...serviceQuery })

const sums = { total: count, human: count, ai: count, ai_share: share }

export const devlogsReport = z
  .object({
    period,
    days: z.number().meta({ examples: [30] }),
    ...sums,
    by_service: z.array(
      z.object({
        service: z
          .string()
          .nullable()
          .meta({ description: 'Null: devlogs of no service.', examples: ['checkout'] }),
        ...sums,
      }),
    ),
    per_day: z.array(
      z.object({
        date,
        human: count,
        ai: count,
        level: z
          .int()
          .min(0)
          .max(4)
          .meta({
            description: 'For a heatmap: 0 without devlogs, else the quarter among the days that have some.',
            examples: [2],
          }),
      }),
    ),
    per_hour: z
      .array(z.object({ at: time, human: count, ai: count }))
      .nullable()
      .meta({ description: 'Only for periods of at most three days.' }),
    heatmap: z
      .array(
        z.object({
          weekday: z
            .int()
            .min(1)
            .max(7)
            .meta({ description: '1 is Monday.', examples: [1] }),
          hour: z
            .int()
            .min(0)
            .max(23)
            .meta({ examples: [9] }),
          count,
        }),
      )
      .meta({ description: 'Hours of the week with devlogs, by the clock of the time zone.' }),
    previous: z.object({ ...sums, per_day: z.array(z.object({ date, human: count, ai: count })) }),
  })
  .meta({ id: 'DevlogAnalytics' })

export type DevlogsReport = z.infer<typeof devlogsReport>
