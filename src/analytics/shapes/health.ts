import { z } from 'zod'
import { count, figure, period, periodQuery, seconds, serviceQuery, time } from './period.ts'

export const healthQuery = z.object({ ...periodQuery, ...serviceQuery })

const percent = z
  .number()
  .nullable()
  .meta({ description: 'From 0 to 100; null without data.', examples: [99.95] })
const latency = z
  .number()
  .nullable()
  .meta({ examples: [84.2] })

export const healthBucket = z
  .object({
    at: time,
    ok: count,
    failed: count,
    maintenance: count,
    state: z
      .enum(['up', 'degraded', 'down', 'maintenance', 'none'])
      .meta({ description: '`degraded`: some checks failed. `none`: there were no checks.' }),
    average_latency_ms: latency,
  })
  .meta({ id: 'HealthBucket' })

export const serviceHealthReport = z
  .object({
    id: z.uuid(),
    service: z.string().meta({ examples: ['checkout'] }),
    title: z.string().meta({ examples: ['Checkout'] }),
    state: z.string().meta({ examples: ['up'] }),
    uptime_percent: percent.meta({
      description: 'Checks that passed, of all outside maintenance; null without a check.',
    }),
    previous_uptime_percent: percent,
    coverage_percent: percent.meta({
      description:
        'The share of the time for which checks speak, each for its interval; null where nothing is checked.',
    }),
    checks: z.object({ ok: count, failed: count, maintenance: count }),
    average_latency_ms: latency,
    incidents: count,
    previous_incidents: count,
    incident_seconds: z.number().meta({ examples: [1_200] }),
    mean_time_to_restore_seconds: seconds,
    mean_time_between_failures_seconds: seconds,
    buckets: z.array(healthBucket),
  })
  .meta({ id: 'ServiceHealth' })

export const healthReport = z
  .object({
    period,
    days: z.number().meta({ examples: [7] }),
    bucket: z.union([z.enum(['day', 'week']), z.int()]).meta({
      description:
        'Days of the time zone, seven of them from the first day on, or so many seconds. There are at most 96.',
      examples: [10_800],
    }),
    uptime_percent: figure.meta({ description: 'Of all services together.' }),
    incidents: figure,
    services: z.array(serviceHealthReport),
  })
  .meta({ id: 'HealthAnalytics' })

export type HealthReport = z.infer<typeof healthReport>
export type ServiceHealthReport = z.infer<typeof serviceHealthReport>
