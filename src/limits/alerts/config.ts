import { z } from 'zod'
import type { AlertKind } from './shapes.ts'

/** What each kind of alert is set up with. Browser-safe. */

const amount = z
  .string('must be a decimal string such as "12.50"')
  .regex(/^\d{1,12}(\.\d{1,12})?$/, 'must be a decimal string such as "12.50"')
  .refine((text) => /[1-9]/.test(text), 'must be more than 0')

const whole = (minimum: number, maximum: number) => {
  const text = `must be a whole number from ${minimum} to ${maximum}`
  return z.int(text).min(minimum, text).max(maximum, text)
}

const word = (maximum: number) =>
  z
    .string('must be a string')
    .min(1, 'must not be empty')
    .max(maximum, `must have at most ${maximum} characters`)
    .refine((text) => !text.includes('\0') && text.isWellFormed(), 'must not contain NUL or half a character')
const words = z.array(word(200)).max(50, 'must have at most 50 entries').default([])

const subjects = [
  z.strictObject({ type: z.literal('group') }),
  z.strictObject({ type: z.literal('api_key'), id: z.uuid('must be the ID of an API key') }),
  z.strictObject({
    type: z.literal('user'),
    id: z.uuid('must be the ID of a person; for a label make a limit and an alert of kind budget'),
  }),
  z.strictObject({ type: z.literal('model'), id: word(300) }),
  z.strictObject({ type: z.literal('provider'), id: word(100) }),
] as const
const subject = z.discriminatedUnion(
  'type',
  subjects,
  'must be group, api_key, user, model or provider; for a tag make a limit and an alert of kind budget',
)
export type Subject = z.infer<typeof subject>

const isTag = (text: string): boolean => text.trim() === text && !text.includes(',')
/** The sums by tag are those of days, so only spend can be that of a tag. */
const spendSubject = z.discriminatedUnion(
  'type',
  [
    ...subjects,
    z.strictObject({
      type: z.literal('tag'),
      id: word(64).refine(isTag, 'must be one tag, without a comma or spaces around it'),
    }),
  ],
  'must be group, api_key, user, model, provider or tag',
)
export type SpendSubject = z.infer<typeof spendSubject>

export const spendWindows = ['day', 'week', 'month'] as const
export const sensitivities = ['low', 'medium', 'high'] as const
const minutes = whole(1, 60)
const provider = word(100).nullable().default(null)
const nothing = z.strictObject({})

export const configs = {
  spend: z.strictObject({
    subject: spendSubject.default({ type: 'group' }),
    window: z.enum(spendWindows, 'must be day, week or month'),
    amount,
  }),
  budget: z.strictObject({
    limit_id: z.uuid('must be the ID of a limit'),
    at: z
      .array(whole(1, 1_000))
      .min(1, 'must have at least one percentage')
      .max(10, 'must have at most 10 percentages')
      .default([50, 80, 100])
      .transform((all) => [...new Set(all)].toSorted((a, b) => a - b)),
  }),
  anomaly: z.strictObject({
    subject: subject.default({ type: 'group' }),
    sensitivity: z.enum(sensitivities, 'must be low, medium or high').default('medium'),
    min_amount: amount.default('1'),
  }),
  provider_errors: z.strictObject({
    provider,
    share: whole(1, 100).default(20),
    min_requests: whole(1, 10_000).default(10),
    minutes: minutes.default(5),
  }),
  provider_latency: z.strictObject({
    provider,
    model: word(300).nullable().default(null),
    metric: z.enum(['ttft', 'duration'], 'must be ttft or duration').default('ttft'),
    p95_ms: whole(1, 3_600_000),
    min_requests: whole(1, 10_000).default(10),
    minutes: minutes.default(10),
  }),
  provider_key: z.strictObject({ failures: whole(1, 20).default(2) }),
  unpriced_model: nothing,
  service_down: z.strictObject({ services: words }),
  approval_waiting: z.strictObject({ minutes: whole(0, 1_440).default(0) }),
  run_waiting: z.strictObject({ minutes: whole(0, 1_440).default(0) }),
  run_failed: z.strictObject({ agents: words }),
  deployment_failed: z.strictObject({ services: words, environments: words }),
  backup_failed: z.strictObject({ max_age_hours: whole(1, 8_760).nullable().default(null) }),
  disk: z.strictObject({ min_free_percent: whole(1, 90).default(10) }),
} as const satisfies Record<AlertKind, z.ZodType>

export type ConfigOf<K extends AlertKind> = z.infer<(typeof configs)[K]>
export type SpendWindow = (typeof spendWindows)[number]
