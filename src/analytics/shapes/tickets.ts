import { z } from 'zod'
import { count, date, hours, period, periodQuery, time } from './period.ts'

export const ticketsQuery = z.object({
  ...periodQuery,
  stale_days: z
    .string()
    .regex(/^(?:[1-9]\d?|[12]\d\d|3[0-5]\d|36[0-6])$/, 'must be a whole number from 1 to 366')
    .transform(Number)
    .prefault('14')
    .meta({ description: 'After how many days without activity a ticket is stale. Defaults to 14.' }),
})

const sums = {
  created: count,
  completed: count,
  cancelled: count,
  average_resolution_hours: hours,
  median_resolution_hours: hours,
  p85_resolution_hours: hours,
  median_cycle_hours: hours.meta({
    description: 'From the start of work to its end, in hours; null without data.',
  }),
}

const steps = { created: count, completed: count }

const day = z.object({
  date,
  ...steps,
  open: count.meta({ description: 'Open at the end of the day.' }),
})

const hour = z.object({
  at: time,
  ...steps,
  open: count.meta({ description: 'Open at the end of the hour.' }),
})

export const staleTicket = z
  .object({
    id: z.uuid(),
    title: z.string().meta({ examples: ['Receipts are sent twice'] }),
    status: z.enum(['open', 'in_progress']),
    priority: z
      .string()
      .nullable()
      .meta({ examples: ['high'] }),
    assignee: z
      .string()
      .nullable()
      .meta({ examples: ['ada'] }),
    url: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    created_at: time,
    last_activity_at: time,
  })
  .meta({ id: 'StaleTicket' })

export const ticketsReport = z
  .object({
    period,
    days: z.number().meta({ examples: [7] }),
    ...sums,
    net: z.int().meta({ description: 'Created minus completed and cancelled.', examples: [3] }),
    open: count.meta({ description: 'Open now.' }),
    per_day: z.array(day),
    per_hour: z.array(hour).nullable().meta({ description: 'Only for periods of at most three days.' }),
    stale_days: count.meta({ examples: [14] }),
    stale_total: count,
    stale: z.array(staleTicket).meta({ description: 'At most 100, untouched longest first.' }),
    previous: z.object({ ...sums, per_day: z.array(day) }),
  })
  .meta({ id: 'TicketFlow' })

export type TicketsReport = z.infer<typeof ticketsReport>
