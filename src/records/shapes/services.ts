import { z } from 'zod'
import { groupId, paging } from '#kernel/paging'
import {
  anyText,
  line,
  oneOrMore,
  serviceName,
  since,
  slug,
  time,
  timeInput,
  until,
  webAddress,
} from './fields.ts'

export const serviceStates = ['unknown', 'up', 'down', 'maintenance'] as const
export type ServiceState = (typeof serviceStates)[number]

const state = z.enum(serviceStates).meta({
  description:
    '`unknown`: not checked yet, paused, or without a URL. `maintenance`: in a maintenance window.',
})

const fields = z.object({
  name: slug.meta({ examples: ['checkout'] }),
  title: line(100).optional().meta({ description: 'For people. Defaults to the name.' }),
  description: anyText(2_000)
    .default('')
    .meta({ description: 'Public where `is_public` is true: the status page shows it.' }),
  url: webAddress
    .nullable()
    .optional()
    .meta({ description: 'What to check. Without it nothing is checked.' }),
  interval_s: z.int().min(10).max(86_400).default(60),
  timeout_ms: z.int().min(100).max(60_000).default(10_000),
  expect_status: z.int().min(100).max(599).default(200),
  failures_to_open: z
    .int()
    .min(1)
    .max(100)
    .default(3)
    .meta({ description: 'Number of failures in a row that open an incident.' }),
  passes_to_close: z
    .int()
    .min(1)
    .max(100)
    .default(2)
    .meta({ description: 'Number of passes in a row that close it.' }),
  allow_private: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether the URL may be in a private network. Needs UPSTREAM_PRIVATE=1.' }),
  is_public: z.boolean().default(false).meta({
    description:
      'Whether the status page shows it: title, description, state, uptime and the times of incidents.',
  }),
  is_paused: z.boolean().default(false).meta({ description: 'Whether its checks are paused.' }),
})

export const serviceBody = fields
  .extend(groupId)
  .strict()
  .meta({ examples: [{ name: 'checkout', url: 'https://checkout.example.com/healthz', interval_s: 60 }] })

/** What is not sent keeps its value. The name stays: deployments, events and alerts refer to it. */
export const serviceChange = z
  .object({
    title: line(100),
    description: anyText(2_000),
    url: webAddress.nullable(),
    interval_s: fields.shape.interval_s.unwrap(),
    timeout_ms: fields.shape.timeout_ms.unwrap(),
    expect_status: fields.shape.expect_status.unwrap(),
    failures_to_open: fields.shape.failures_to_open.unwrap(),
    passes_to_close: fields.shape.passes_to_close.unwrap(),
    allow_private: z.boolean(),
    is_public: z.boolean(),
    is_paused: z.boolean(),
  })
  .partial()
  .strict()
  .meta({ examples: [{ is_paused: true }] })

export const service = z
  .object({
    id: z.uuid(),
    group_id: z.uuid(),
    name: z.string(),
    title: z.string(),
    description: z.string(),
    url: z.string().nullable(),
    interval_s: z.int(),
    timeout_ms: z.int(),
    expect_status: z.int(),
    failures_to_open: z.int(),
    passes_to_close: z.int(),
    allow_private: z.boolean(),
    is_public: z.boolean(),
    is_paused: z.boolean(),
    state,
    state_since: time,
    next_check_at: time.nullable(),
    last_checked_at: time.nullable(),
    last_status_code: z.int().nullable(),
    last_latency_ms: z.int().nullable(),
    last_error: z.string().nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({
    id: 'Service',
    examples: [
      {
        id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
        group_id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0a',
        name: 'checkout',
        title: 'Checkout',
        description: '',
        url: 'https://checkout.example.com/healthz',
        interval_s: 60,
        timeout_ms: 10000,
        expect_status: 200,
        failures_to_open: 3,
        passes_to_close: 2,
        allow_private: false,
        is_public: true,
        is_paused: false,
        state: 'up',
        state_since: '2026-11-16T09:30:00.000Z',
        next_check_at: '2026-11-16T10:31:00.000Z',
        last_checked_at: '2026-11-16T10:30:00.000Z',
        last_status_code: 200,
        last_latency_ms: 42,
        last_error: null,
        created_at: '2026-11-16T09:29:59.000Z',
        updated_at: '2026-11-16T09:29:59.000Z',
      },
    ],
  })

export const serviceQuery = z.object({
  name: anyText(100).optional().meta({ description: 'Only the service of this name.' }),
  state: oneOrMore(serviceStates, 'Only services in this state.'),
  ...paging(500),
})

export const maintenanceBody = z
  .object({
    starts_at: timeInput,
    ends_at: timeInput,
    note: anyText(2_000).default(''),
  })
  .strict()
  .meta({
    examples: [
      { starts_at: '2026-11-20T22:00:00Z', ends_at: '2026-11-20T23:00:00Z', note: 'Database upgrade' },
    ],
  })

export const maintenanceWindow = z
  .object({
    id: z.uuid(),
    service_id: z.uuid(),
    starts_at: time,
    ends_at: time,
    note: z.string().meta({ examples: ['Database upgrade'] }),
    created_at: time,
  })
  .meta({ id: 'MaintenanceWindow' })

export const maintenanceQuery = z.object(paging(500))

const count = z.int().meta({ minimum: 0, examples: [60] })

export const healthCheck = z
  .object({
    at: time,
    ok: z.boolean(),
    in_maintenance: z.boolean(),
    status_code: z
      .int()
      .nullable()
      .meta({ examples: [200] }),
    latency_ms: z
      .int()
      .nullable()
      .meta({ examples: [42] }),
    error: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
  })
  .meta({ id: 'HealthCheck' })

export const checkQuery = z.object({ since, until, ...paging(500) })

/** A sum of checks that began in one minute, hour or day (UTC). */
export const healthRollup = z
  .object({
    at: time,
    ok_count: count,
    failed_count: z.int().meta({ minimum: 0, examples: [0] }),
    maintenance_count: z.int().meta({ minimum: 0, examples: [0] }),
    average_latency_ms: z
      .number()
      .nullable()
      .meta({ description: 'Of the checks that got a response.', examples: [41.5] }),
    max_latency_ms: z
      .int()
      .nullable()
      .meta({ examples: [80] }),
  })
  .meta({ id: 'HealthRollup' })

export const rollupQuery = z.object({
  resolution: z.enum(['minute', 'hour', 'day']).default('hour').meta({
    description: 'Minutes are kept for 24 hours, hours for 30 days, days for 365 days. Defaults to `hour`.',
  }),
  since,
  until,
  ...paging(500),
})

export const incident = z
  .object({
    id: z.uuid(),
    group_id: z.uuid(),
    service_id: z.uuid(),
    service: z.string().meta({ examples: ['checkout'] }),
    opened_at: time,
    closed_at: time.nullable().meta({ description: 'Null: it is open.' }),
    cause: z.string().meta({ examples: ['Expected status 200, received 503.'] }),
    note: z.string().meta({ examples: [''] }),
    deployment_id: z.uuid().nullable().meta({ description: 'The deployment that caused it.' }),
    source: z.string().meta({ examples: ['health_check'] }),
    external_id: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Incident' })

const incidentFields = z.object({
  cause: line(1_000).meta({ description: 'What is wrong. Not shown on the status page.' }),
  note: anyText(10_000).meta({ description: 'What was found and done. Not shown on the status page.' }),
  deployment_id: z.uuid().nullable().meta({ description: 'The deployment that caused it.' }),
  opened_at: timeInput.meta({ description: 'Not in the future.' }),
  closed_at: timeInput.nullable().meta({ description: 'Null: it is open.' }),
})

export const incidentBody = incidentFields
  .partial()
  .required({ cause: true })
  .extend({ service: serviceName, ...groupId })
  .strict()
  .meta({ examples: [{ service: 'checkout', cause: 'Payments are refused.' }] })

/** What is not sent keeps its value. */
export const incidentChange = incidentFields
  .partial()
  .strict()
  .meta({ examples: [{ note: 'The certificate had expired.' }] })

export const incidentQuery = z.object({
  service: anyText(100).optional().meta({ description: 'Only incidents of this service, by its name.' }),
  status: z.enum(['open', 'closed']).optional().meta({ description: 'Only open or closed incidents.' }),
  since,
  until,
  ...paging(500),
})

export type Service = z.infer<typeof service>
export type ServiceInput = z.infer<typeof serviceBody>
export type ServiceChange = z.infer<typeof serviceChange>
export type ServiceQuery = z.infer<typeof serviceQuery>
export type MaintenanceWindow = z.infer<typeof maintenanceWindow>
export type HealthCheck = z.infer<typeof healthCheck>
export type HealthRollup = z.infer<typeof healthRollup>
export type Incident = z.infer<typeof incident>
export type IncidentInput = z.infer<typeof incidentBody>
export type IncidentChange = z.infer<typeof incidentChange>
export type IncidentQuery = z.infer<typeof incidentQuery>
