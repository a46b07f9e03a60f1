import { z } from 'zod'
import { count, date, environmentQuery, period, periodQuery, seconds, share, time } from './period.ts'

export const deploymentsQuery = z.object({ ...periodQuery, ...environmentQuery })

export const leadTime = z
  .object({
    median_seconds: z.number().meta({ examples: [10_800] }),
    average_seconds: z.number().meta({ examples: [14_400] }),
    p95_seconds: z.number().meta({ examples: [43_200] }),
    deployments: count.meta({ description: 'Those whose commit time is known.' }),
  })
  .nullable()
  .meta({ description: 'From the commit to the end of the deployment; null without data.' })

const sums = {
  total: count.meta({
    description: 'Deployments that ended in the period, and those that began in it and run.',
  }),
  succeeded: count,
  failed: count.meta({ description: 'Those that were rolled back included.' }),
  rolled_back: count,
  running: count,
  success_rate: share,
  failure_rate: share,
  average_build_seconds: seconds,
  median_build_seconds: seconds,
  p95_build_seconds: seconds,
  lead_time: leadTime,
}

const dayCounts = { succeeded: count, failed: count }

export const deploymentsReport = z
  .object({
    period,
    days: z.number().meta({ examples: [7] }),
    ...sums,
    deployments_per_day: z
      .number()
      .meta({ description: 'Successful ones per calendar day.', examples: [1.4] }),
    per_day: z.array(z.object({ date, ...dayCounts })),
    per_week: z.array(
      z.object({ week: date.meta({ description: 'The Monday with which it begins.' }), ...dayCounts }),
    ),
    per_hour: z
      .array(z.object({ at: time, ...dayCounts }))
      .nullable()
      .meta({ description: 'Only for periods of at most three days.' }),
    by_service: z.array(z.object({ service: z.string().meta({ examples: ['checkout'] }), ...sums })),
    previous: z.object({
      ...sums,
      per_day: z
        .array(z.object({ date, ...dayCounts }))
        .meta({ description: 'The days of the period before, in order.' }),
    }),
  })
  .meta({ id: 'DeploymentAnalytics' })

export type DeploymentsReport = z.infer<typeof deploymentsReport>
export type DeploymentCounts = z.infer<typeof deploymentsReport>['by_service'][number]
