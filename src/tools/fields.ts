import { z } from 'zod'

/** Fields that several tools have. Their routes check them again. */

export const limit = (largest: number, usual: number) =>
  z.int().min(1).max(largest).default(usual).describe('How many to return at most.')

export const cursor = z.string().max(200).optional().describe('The next_cursor of the page before.')

export const words = z
  .string()
  .min(1)
  .max(500)
  .describe('Words; "quotes" for a phrase, or, and a minus before what must not be there.')

export const since = z.iso.datetime({ offset: true }).optional().describe('Of this time and later.')
export const until = z.iso.datetime({ offset: true }).optional().describe('Before this time.')

export const some = (what: string) => z.string().max(500).optional().describe(`${what}, separated by commas.`)

export const page = z.looseObject({
  data: z.array(z.unknown()),
  next_cursor: z.string().nullish().describe('Gives the next page, where there is one.'),
})

/** A text of a record. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
