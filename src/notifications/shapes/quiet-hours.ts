import { z } from 'zod'
import { isTimeZone } from '#kernel/time-zone'

/** In the order of `Date.getUTCDay`. */
export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

const clock = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 22:00')
  .meta({ examples: ['22:00'] })

export const quietHours = z
  .object({
    from: clock,
    to: clock.meta({ description: 'Equal to `from`: the whole day.', examples: ['07:00'] }),
    time_zone: z
      .string()
      .max(100)
      .refine(isTimeZone, 'must be a time zone such as Europe/Berlin')
      .optional()
      .meta({ description: 'Defaults to the time zone of the group, or UTC.', examples: ['Europe/Berlin'] }),
    days: z
      .array(z.enum(weekdays))
      .min(1)
      .max(7)
      .optional()
      .meta({
        description: 'The days on which they begin. Defaults to every day.',
        examples: [['sat', 'sun']],
      }),
  })
  .meta({ id: 'QuietHours' })

export type QuietHours = z.infer<typeof quietHours>
