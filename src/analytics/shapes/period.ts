import { z } from 'zod'
import { whole } from '#kernel/paging'
import { isTimeZone } from '#kernel/time-zone'

/** What every analytics route takes, and how it says what it covers. Browser-safe. */

const maxDays = 366

const moment = z
  .string()
  .refine(
    (text) =>
      z.iso.date().safeParse(text).success || z.iso.datetime({ offset: true }).safeParse(text).success,
    'must be a date such as 2026-03-01 or a time such as 2026-03-01T09:30:00Z',
  )
  .refine((text) => {
    const year = Number(text.slice(0, 4))
    return year >= 1971 && year < 2100
  }, 'must be between 1971 and 2100')
/** The same rules for readers of the API document. */
const years = { pattern: '^(19(7[1-9]|[89][0-9])|20[0-9]{2})-' }
const dateOrTime = {
  anyOf: [
    { format: 'date', ...years },
    { format: 'date-time', ...years },
  ],
}
const to366 = '^([1-9]|[1-9][0-9]|[12][0-9]{2}|3[0-5][0-9]|36[0-6])$'

export const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin')

export const periodQuery = {
  days: whole(1, maxDays).optional().meta({
    description: 'The last days, today included, from 1 to 366. Not with `from` and `to`.',
    pattern: to366,
  }),
  from: moment
    .optional()
    .meta({ description: 'The first day, or the time at which the period begins.', ...dateOrTime }),
  to: moment.optional().meta({
    description: 'The last day, or the time before which the period ends. Defaults to now.',
    ...dateOrTime,
  }),
  tz: timeZone.default('UTC').meta({ description: 'The time zone of days and hours. Defaults to UTC.' }),
  group_id: z.uuid().optional(),
}

const filterText = (what: string) => z.string().min(1).max(100).optional().meta({ description: what })

export const serviceQuery = { service: filterText('Only this service.') }
export const environmentQuery = {
  ...serviceQuery,
  environment: filterText('Only deployments to this environment.'),
}

export const time = z.string().meta({ format: 'date-time' })
export const date = z.string().meta({ format: 'date', examples: ['2026-03-02'] })

export const period = z
  .object({
    from: time,
    to: time,
    days: z
      .number()
      .meta({ description: 'Calendar days; a part of a day where times were given.', examples: [7] }),
    tz: z.string().meta({ examples: ['Europe/Berlin'] }),
    previous_from: time,
    previous_to: time,
  })
  .meta({ id: 'AnalyticsPeriod' })

export const count = z.int().meta({ examples: [12] })
export const share = z
  .number()
  .nullable()
  .meta({ description: 'From 0 to 1; null without data.', examples: [0.75] })
export const seconds = z
  .number()
  .nullable()
  .meta({ description: 'Seconds; null without data.', examples: [240] })
export const hours = z
  .number()
  .nullable()
  .meta({ description: 'Hours; null without data.', examples: [36.5] })

/** A figure beside that of the period before. */
export const figure = z
  .object({
    value: z
      .number()
      .nullable()
      .meta({ description: 'Null without data.', examples: [0.25] }),
    previous: z
      .number()
      .nullable()
      .meta({ description: 'Of the period before.', examples: [0.2] }),
    change: z
      .number()
      .nullable()
      .meta({ description: 'The relative change: 0.25 is a quarter more.', examples: [0.25] }),
  })
  .meta({ id: 'AnalyticsFigure' })

export type Figure = z.infer<typeof figure>
