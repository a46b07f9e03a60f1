import { z } from 'zod'
import { environmentQuery, figure, period, periodQuery } from './period.ts'

export const summaryQuery = z.object({ ...periodQuery, service: environmentQuery.service })

export const summaryReport = z
  .object({
    period,
    days: z.number().meta({ examples: [7] }),
    deployments: z.object({
      total: figure,
      per_day: figure,
      success_rate: figure,
      average_build_seconds: figure,
      lead_time_seconds: figure.meta({ description: 'The median.' }),
    }),
    tickets: z.object({
      created: figure,
      completed: figure,
      open: figure.meta({ description: 'At the end of the period.' }),
      average_resolution_hours: figure,
      stale: z.int().meta({ description: 'Open and untouched for 14 days, now.', examples: [2] }),
    }),
    health: z.object({ uptime_percent: figure, incidents: figure }),
    devlogs: z.object({ total: figure, ai_share: figure }),
  })
  .meta({ id: 'AnalyticsSummary' })

export type SummaryReport = z.infer<typeof summaryReport>
