import { z } from 'zod'
import { jsonObject } from '#kernel/json-object'
import { line, text, timeInput } from './fields.ts'

/** The body of the generic webhook: one item, or an array of them. */

const severities = ['trace', 'debug', 'info', 'warning', 'error', 'critical'] as const
const types = [
  'deployment',
  'health_check',
  'devlog',
  'ticket',
  'api_call',
  'error',
  'config',
  'sync',
] as const

const id = line(200).meta({
  description: 'Your ID of the thing. Later items with the same ID change it.',
  examples: ['build-4711'],
})
const service = line(100).meta({ examples: ['checkout'] })
const url = z.url({ protocol: /^https?$/ }).max(2_000)
const maxMetadataBytes = 16_384
const metadata = jsonObject
  .refine(isStorable, 'must be at most 16 KiB of JSON without NUL characters')
  .default({})

/** PostgreSQL stores neither NUL nor half a surrogate pair; JSON that is nested too deeply cannot be written. */
function isStorable(value: unknown): boolean {
  try {
    const json = JSON.stringify(value)
    return json.length <= maxMetadataBytes && !/\\u(?:0000|d[89a-f][0-9a-f]{2})/i.test(json)
  } catch {
    return false
  }
}

const deployment = z.object({
  kind: z.literal('deployment'),
  id,
  service,
  environment: line(100).default('production'),
  version: line(200).nullish(),
  status: z.enum(['started', 'succeeded', 'failed', 'rolled_back']),
  started_at: timeInput,
  finished_at: timeInput.nullish(),
  changed_at: timeInput.nullish().meta({ description: 'When this status was reached.' }),
  commit: line(200).nullish(),
  committed_at: timeInput.nullish().meta({ description: 'For the lead time.' }),
  url: url.nullish(),
  deployed_by: line(200).nullish(),
  is_rework: z.boolean().nullish(),
})

const ticket = z.object({
  kind: z.literal('ticket'),
  id,
  title: line(300),
  description: text(10_000).default(''),
  status: z.enum(['open', 'in_progress', 'done', 'cancelled']),
  priority: line(40).nullish(),
  assignee: line(200).nullish(),
  url: url.nullish(),
  created_at: timeInput.nullish(),
  started_at: timeInput.nullish(),
  completed_at: timeInput.nullish(),
  changed_at: timeInput.meta({ description: 'When it was last changed. An older change is not applied.' }),
})

const alert = z.object({
  kind: z.literal('alert'),
  id,
  service: service.nullish(),
  state: z.enum(['firing', 'resolved']),
  severity: z.enum(severities).default('error'),
  title: line(300),
  message: text(10_000).default(''),
  started_at: timeInput,
  ended_at: timeInput.nullish(),
  metadata,
})

const commits = z.object({
  kind: z.literal('commits'),
  commits: z
    .array(
      z.object({
        sha: line(64),
        committed_at: timeInput,
        repository: line(300).nullish().meta({ description: 'With its owner, such as `shop/checkout`.' }),
        branch: line(300).nullish(),
        message: line(300).nullish().meta({ description: 'The first line.' }),
        author: line(100).nullish(),
        url: url.nullish(),
      }),
    )
    .min(1)
    .max(2_048),
})

const pullRequest = z.object({
  kind: z.literal('pull_request'),
  url: url.meta({ description: 'The address of its page, which is its ID.' }),
  repository: line(300).meta({ description: 'With its owner, such as `shop/checkout`.' }),
  number: z.int().min(1).max(2_000_000_000),
  title: line(300),
  branch: line(300).nullish(),
  author: line(100).nullish(),
  head_sha: line(64).nullish(),
  merge_sha: line(64).nullish(),
  issues: z.array(url).max(50).default([]).meta({ description: 'Addresses of the issues that it closes.' }),
  opened_at: timeInput.nullish(),
  merged_at: timeInput.nullish(),
  changed_at: timeInput.meta({ description: 'When it was last changed. An older change is not applied.' }),
})

const event = z.object({
  kind: z.literal('event'),
  type: z.enum(types),
  severity: z.enum(severities).default('info'),
  service: service.nullish(),
  source: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'must have 1 to 40 small letters, digits, _ or -')
    .default('generic'),
  title: line(300),
  message: text(10_000).default(''),
  metadata,
  at: timeInput.nullish(),
})

export const genericItem = z
  .discriminatedUnion('kind', [deployment, ticket, alert, commits, pullRequest, event])
  .meta({
    id: 'WebhookItem',
    examples: [
      {
        kind: 'deployment',
        id: 'build-4711',
        service: 'checkout',
        status: 'succeeded',
        started_at: '2026-11-16T09:30:00Z',
        finished_at: '2026-11-16T09:34:10Z',
      },
    ],
  })
export const genericBody = z.array(genericItem).min(1).max(100)
export type GenericItem = z.infer<typeof genericItem>
