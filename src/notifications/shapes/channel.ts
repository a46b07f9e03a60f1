import { z } from 'zod'
import { line, time } from './fields.ts'
import { notificationKinds, notificationSeverity } from './notification.ts'
import { quietHours } from './quiet-hours.ts'

export const channelTypes = ['webhook', 'slack', 'teams', 'email', 'pagerduty'] as const
export const channelType = z.enum(channelTypes)
export type ChannelType = z.infer<typeof channelType>

/** The longest time for which notifications are collected into one message. */
const maxGroupSeconds = 3_600
const maxRepeatHours = 168

const url = z
  .string()
  .max(2_000)
  .refine((value) => /^https?:\/\//i.test(value) && URL.canParse(value), 'must be an http or https address')
  .meta({ examples: ['https://hooks.example.com/signalbox'] })

const printable = (minimum: number, maximum: number) =>
  z
    .string()
    .min(minimum, `must have at least ${minimum} characters`)
    .max(maximum, `must have at most ${maximum} characters`)
    .regex(/^[\x21-\x7e]*$/, 'must be printable ASCII without spaces')

const to = z
  .array(z.email('must be an email address').max(254))
  .min(1)
  .max(20)
  .meta({ examples: [['team@example.com']] })

const shared = {
  to,
  allow_private: z.boolean().meta({
    description:
      'Whether the address may be in a private network. The operator must also set `UPSTREAM_PRIVATE=1`.',
  }),
  repeat_hours: z
    .number()
    .int()
    .min(1)
    .max(maxRepeatHours)
    .nullable()
    .meta({
      description: 'Repeats what is still firing after this many hours. Null or left out: never.',
      examples: [null],
    }),
  group_seconds: z
    .number()
    .int()
    .min(0)
    .max(maxGroupSeconds)
    .meta({
      description:
        '`slack`, `teams`, `email`: what follows a message within this time is collected into one. Defaults to 5; what is critical never waits.',
      examples: [5],
    }),
}

/** Which fields a type takes is checked with the type; here only what they look like. */
export const channelConfig = z
  .object({
    url: url.meta({ description: '`webhook`, `slack`, `teams`: where messages are sent.' }),
    secret: printable(8, 200).meta({
      description: '`webhook`: the key of the signature.',
      examples: ['whsec_Zm9yIHRoZSBkb2N1bWVudGF0aW9u'],
    }),
    routing_key: printable(8, 200).meta({
      description: '`pagerduty`: the integration key of an Events API v2 integration.',
    }),
    ...shared,
  })
  .partial()
  .meta({
    examples: [{ url: 'https://hooks.example.com/signalbox', secret: 'whsec_Zm9yIHRoZSBkb2N1bWVudGF0aW9u' }],
  })
export type ChannelConfig = z.infer<typeof channelConfig>

/** Secrets, and addresses that are secrets, are never returned: only what tells one from another. */
const suffix = (of: string) =>
  z.string().meta({ description: `The last 4 characters of ${of}.`, examples: ['aW9u'] })

export const shownConfig = z
  .object({
    url: z.string().meta({ examples: ['https://hooks.example.com/signalbox'] }),
    url_host: z.string().meta({ description: '`slack`, `teams`: the host of the address.' }),
    url_suffix: suffix('the address'),
    secret_suffix: suffix('the secret'),
    routing_key_suffix: suffix('the key'),
    ...shared,
  })
  .partial()
  .meta({ examples: [{ url: 'https://hooks.example.com/signalbox', secret_suffix: 'aW9u' }] })
export type ShownConfig = z.infer<typeof shownConfig>

const name = line(100).meta({ examples: ['On-call'] })
const kinds = z
  .array(z.enum(notificationKinds))
  .max(notificationKinds.length)
  .meta({ description: 'What the channel is for. Empty: everything.', examples: [['spend', 'service_down']] })

const changeable = {
  name,
  config: channelConfig,
  kinds,
  min_severity: notificationSeverity.meta({ description: 'Less severe notifications are not sent.' }),
  quiet_hours: quietHours
    .nullable()
    .meta({ description: 'What is less than critical waits until they end.', examples: [null] }),
  is_active: z.boolean(),
}

export const channelBody = z
  .object({ ...changeable, type: channelType, group_id: z.uuid().optional() })
  .partial({ kinds: true, min_severity: true, quiet_hours: true, is_active: true })
  .meta({
    examples: [
      {
        name: 'On-call',
        type: 'webhook',
        config: { url: 'https://hooks.example.com/signalbox', secret: 'whsec_Zm9yIHRoZSBkb2N1bWVudGF0aW9u' },
      },
    ],
  })
export type ChannelBody = z.infer<typeof channelBody>

export const channelChange = z
  .object(changeable)
  .partial()
  .meta({ examples: [{ min_severity: 'error' }] })
export type ChannelChange = z.infer<typeof channelChange>

export const channel = z
  .object({
    id: z.uuid(),
    group_id: z.uuid(),
    name: z.string().meta({ examples: ['On-call'] }),
    type: channelType,
    config: shownConfig,
    kinds: z.array(z.string()).meta({ examples: [['service_down']] }),
    min_severity: notificationSeverity,
    quiet_hours: quietHours.nullable(),
    is_active: z.boolean(),
    failures: z
      .number()
      .int()
      .meta({ description: 'Failed tries since the last message that arrived.', examples: [0] }),
    failing_since: time.nullable().meta({
      description: 'Since when messages do not arrive, or, with no failures, not at all of the addresses.',
    }),
    last_error: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    last_delivered_at: time.nullable(),
    created_by: z.uuid().nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Channel' })
export type Channel = z.infer<typeof channel>
