import { z } from 'zod'

/** PostgreSQL stores neither NUL nor half a surrogate pair, and a name has no line breaks. */
export const line = (maximum: number) =>
  z
    .string()
    .max(maximum)
    .refine(
      (value) => !/\p{Cc}/u.test(value) && value.isWellFormed(),
      'must not contain control characters or an incomplete surrogate pair',
    )
    .trim()
    .min(1)
    .meta({ pattern: String.raw`\S` })

/** A time as it is returned. */
export const time = z.iso.datetime({ offset: true })
