import { z } from 'zod'
import { jsonObject } from '#kernel/json-object'

/** Shapes of the alerts' routes. Browser-safe. */

export const alertKinds = [
  ...(['spend', 'budget', 'anomaly', 'provider_errors', 'provider_latency', 'provider_key'] as const),
  ...(['unpriced_model', 'service_down', 'approval_waiting', 'run_waiting', 'run_failed'] as const),
  ...(['deployment_failed', 'backup_failed', 'disk'] as const),
] as const
export const alertKind = z.enum(alertKinds)
export type AlertKind = z.infer<typeof alertKind>

export const alertSeverities = ['info', 'warning', 'error', 'critical'] as const
const severity = z.enum(alertSeverities)
export type AlertSeverity = z.infer<typeof severity>

export const maxAlerts = 100

const time = z.iso.datetime({ offset: true })
const config = jsonObject.meta({
  description:
    'What the kind needs: see the table in docs/alerts.md. Fields that are not sent have a default.',
  examples: [{ subject: { type: 'group' }, window: 'day', amount: '50' }],
})
const channels = z
  .array(z.uuid('must be the ID of a channel'))
  .max(20, 'must have at most 20 channels')
  .meta({
    description:
      'IDs of the channels to notify. Empty: every channel of the group that takes this kind and severity.',
    examples: [[]],
  })
const name = z
  .string('must be a string')
  .trim()
  .min(1, 'must not be empty')
  .max(100, 'must have at most 100 characters')
  .refine((text) => !text.includes('\0') && text.isWellFormed(), 'must not contain NUL or half a character')
  .meta({ examples: ['Spend of a day'] })

export const alert = z
  .object({
    id: z.uuid(),
    group_id: z.uuid(),
    name: z.string().meta({ examples: ['Spend of a day'] }),
    kind: alertKind,
    config,
    severity,
    channels,
    is_active: z.boolean(),
    state: z
      .enum(['ok', 'firing'])
      .meta({ description: '`firing` while at least one thing of the alert is not over.' }),
    last_fired_at: time.nullable(),
    created_by: z.uuid().nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Alert' })
export type Alert = z.infer<typeof alert>

export const alertBody = z
  .object({
    name,
    kind: alertKind,
    config: config.optional(),
    severity: severity.optional().meta({ description: 'Defaults to what fits the kind.' }),
    channels: channels.optional(),
    is_active: z.boolean().optional(),
    group_id: z.uuid().optional(),
  })
  .meta({
    examples: [
      {
        name: 'Spend of a day',
        kind: 'spend',
        config: { subject: { type: 'group' }, window: 'day', amount: '50' },
        severity: 'warning',
      },
    ],
  })
export type AlertBody = z.infer<typeof alertBody>

export const alertChange = z
  .object({ name, config, severity, channels, is_active: z.boolean() })
  .partial()
  .meta({ examples: [{ is_active: false }] })
export type AlertChange = z.infer<typeof alertChange>

export const recommendedAlert = z
  .object({
    name: z.string().meta({ examples: ['Spend of a day'] }),
    kind: alertKind,
    config,
    severity,
    reason: z.string().meta({ description: 'Why to have it.', examples: ['Twice the usual day of $20.'] }),
    would_have_fired: z
      .int()
      .nullable()
      .meta({ description: 'How often in the last `days`; null where that is not known.', examples: [1] }),
    days: z.int().meta({ examples: [14] }),
    exists: z.boolean().meta({ description: 'The group has an alert of this kind already.' }),
  })
  .meta({ id: 'RecommendedAlert' })
export type RecommendedAlert = z.infer<typeof recommendedAlert>
