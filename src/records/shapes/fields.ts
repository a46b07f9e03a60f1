import { z } from 'zod'
import { paging } from '#kernel/paging'

/** Fields that several records share. Browser-safe. */

/** NUL and half surrogate pairs are refused before a schema is asked. */
export const anyText = (maximum: number) => z.string().max(maximum)

/** One line that is not blank. */
export const line = (maximum: number) =>
  anyText(maximum)
    .trim()
    .min(1)
    .meta({ pattern: String.raw`\S` })

export const markdown = anyText(100_000)

export const slug = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,62}$/,
    'must have 1 to 63 small letters, digits or . _ - and begin with a letter or digit',
  )
  .refine((text) => !z.uuid().safeParse(text).success, 'must not look like an ID')

export const webAddress = z.url({ protocol: /^https?$/ }).max(2_000)

const maxMetadataBytes = 65_536

export const metadata = z
  .record(z.string(), z.unknown())
  .refine(
    (value) => new TextEncoder().encode(JSON.stringify(value)).length <= maxMetadataBytes,
    'must be at most 64 KiB of JSON',
  )
  .meta({ examples: [{ intent: 'Add an index' }] })

export const tags = z
  .array(line(100))
  .max(50)
  .meta({ examples: [['database', 'migration']] })

const [earliest, latest] = [Date.UTC(1970, 0, 1), Date.UTC(2100, 0, 1)]

/** A time as it is sent. */
export const timeInput = z.iso
  .datetime({ offset: true, message: 'must be a time such as 2026-11-16T09:30:00Z' })
  .refine((text) => isWithin(Date.parse(text)), 'must be between 1970 and 2100')

const isWithin = (time: number): boolean => time >= earliest && time < latest

/** A time as it is returned. */
export const time = z.string().meta({ format: 'date-time' })

export const authorKind = z
  .enum(['human', 'ai'])
  .meta({ description: '`ai` where a program wrote it, such as an agent.' })

export const source = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,39}$/, 'must have 1 to 40 small letters, digits, _ or - and begin with a letter')
  .meta({ description: 'Where the record comes from.', examples: ['api'] })

export const externalId = line(200).meta({
  description: 'The ID of the record where it comes from. One record per source has it.',
  examples: ['build-4711'],
})

/** Of the service, as people write it. */
export const serviceName = line(100).meta({ examples: ['checkout'] })

/** A filter by yes or no. */
export const yesOrNo = (description: string) =>
  z
    .enum(['true', 'false'], 'must be true or false')
    .transform((word) => word === 'true')
    .optional()
    .meta({ description })

/** Of lists whose rows have long texts. */
export const pagingOfTexts = paging(200)

/** A filter by several values, separated by commas. */
export const oneOrMore = <const T extends readonly [string, ...string[]]>(values: T, description: string) =>
  z
    .string()
    .max(200)
    .regex(
      new RegExp(`^(${values.join('|')})(,(${values.join('|')}))*$`),
      `must be one or more of ${values.join(', ')}, separated by commas`,
    )
    .transform((text) => text.split(',') as T[number][])
    .optional()
    .meta({ description: `${description} Several are separated by commas.` })

export const since = timeInput.optional().meta({ description: 'Only those at or after this time.' })
export const until = timeInput.optional().meta({ description: 'Only those before this time.' })
