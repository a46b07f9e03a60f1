import { z } from 'zod'

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
export const text = (maximum: number) =>
  z
    .string()
    .max(maximum)
    .refine(
      (value) => !value.includes('\0') && value.isWellFormed(),
      'must not contain NUL or an incomplete surrogate pair',
    )

/** A text that is not blank. */
export const line = (maximum: number) =>
  text(maximum)
    .trim()
    .min(1)
    .meta({ pattern: String.raw`\S` })

const [earliest, latest] = [Date.UTC(1970, 0, 1), Date.UTC(2100, 0, 1)]

/** A time as it is sent. */
export const timeInput = z.iso
  .datetime({ offset: true, message: 'must be a time such as 2026-11-16T09:30:00Z' })
  .refine((value) => {
    const time = Date.parse(value)
    return time >= earliest && time < latest
  }, 'must be between 1970 and 2100')

/** A time as it is returned. */
export const time = z.iso.datetime({ offset: true })
