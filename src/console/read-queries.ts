import { z } from 'zod'
import { cursor } from '#kernel/paging'
import { filterFields, limitField, metadataField } from './query.ts'

/** The parameters of the routes that read events. */

export const maxHours = 8_760

const eventId = (description: string) =>
  z
    .string()
    .optional()
    .meta({ description, examples: ['0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f'] })

export const listQuery = z.object({
  ...filterFields,
  ...metadataField,
  limit: limitField,
  cursor,
  around: eventId('The id of an event: returns it between the events before and after it.'),
  newer_than: eventId('The id of an event: returns those that follow it.'),
})

const words = z
  .string('must be a string')
  .max(500, 'must have at most 500 characters')
  .refine((text) => text.trim() !== '' && !text.includes('\0'), 'must be words to search for')

export const searchQuery = z.object({
  ...filterFields,
  q: words.meta({
    description:
      'Words, also parts of names; "quotes" for an exact phrase, `or`, and a minus before what must not be there.',
    examples: ['"payment failed" -timeout'],
  }),
  sort: z
    .enum(['time', 'rank'])
    .default('time')
    .meta({ description: 'Newest first, or best first among the newest 2,000 matches.' }),
  limit: limitField,
  cursor,
})

const hoursText = `must be a whole number from 1 to ${maxHours}`

export const statsQuery = z.object({
  ...filterFields,
  hours: z.coerce
    .number()
    .pipe(z.int(hoursText).min(1, hoursText).max(maxHours, hoursText))
    .default(24)
    .meta({ description: 'The last N hours; `since` and `until` give another range.' }),
  q: words.optional().meta({
    description: 'Counts only the events that a search for these words finds.',
    examples: ['"payment failed" -timeout'],
  }),
})
