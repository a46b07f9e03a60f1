import { z } from 'zod'
import { count, date, environmentQuery, figure, period, periodQuery } from './period.ts'

export const velocityQuery = z.object({ ...periodQuery, ...environmentQuery })

export const velocityReport = z
  .object({
    period,
    days: z.number().meta({ examples: [84] }),
    per_week: z.array(
      z.object({
        week: date.meta({ description: 'The Monday with which it begins.' }),
        deployments: count.meta({ description: 'Successful ones.' }),
        completed_tickets: count,
      }),
    ),
    deployments_per_week: figure,
    completed_tickets_per_week: figure,
    deployment_frequency: figure.meta({ description: 'Successful deployments per calendar day.' }),
    frequency_class: z
      .enum(['daily', 'weekly', 'monthly', 'yearly'])
      .nullable()
      .meta({ description: 'By the median of days with a deployment per week; null without data.' }),
    change_lead_time: figure.meta({ description: 'Median seconds from commit to production.' }),
    change_failure_rate: figure.meta({
      description:
        'Deployments that failed, were rolled back, caused an incident, or whose next deployment of the same service and environment was rework that began within 24 hours, from 0 to 1.',
    }),
    time_to_restore: figure.meta({ description: 'Median seconds from a failed deployment to its recovery.' }),
    deployment_rework_rate: figure.meta({ description: 'Unplanned deployments, from 0 to 1.' }),
    deployments: count,
    failures: count,
    unrecovered: count.meta({
      description: 'Failures that are not recovered yet. They are not in `time_to_restore`.',
    }),
  })
  .meta({ id: 'Velocity' })

export type VelocityReport = z.infer<typeof velocityReport>
