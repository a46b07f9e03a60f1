import { z } from 'zod'
import { groupId } from '#kernel/paging'
import { anyText, line, time } from './fields.ts'
import { serviceStates } from './services.ts'

const slug = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{1,62}$/,
    'must have 2 to 63 small letters, digits or hyphens and begin with a letter or digit',
  )
  .meta({ description: 'The last part of its address: `/status/SLUG`.', examples: ['example'] })

const title = line(100).meta({ examples: ['Example status'] })
const description = anyText(2_000).meta({ examples: ['Planned work is announced here.'] })

export const statusPageBody = z
  .object({
    slug,
    title,
    description: description.default(''),
    is_enabled: z.boolean().meta({ description: 'Whether everyone can read it, without signing in.' }),
    ...groupId,
  })
  .strict()
  .meta({ examples: [{ slug: 'example', title: 'Example status', is_enabled: true }] })

/** Off until an owner switches it on. */
export const statusPage = z
  .object({
    slug: z
      .string()
      .nullable()
      .meta({ examples: ['example'] }),
    title: z.string().meta({ examples: ['Example status'] }),
    description: z.string().meta({ examples: [''] }),
    is_enabled: z.boolean(),
    updated_at: time.nullable(),
  })
  .meta({ id: 'StatusPage' })

const dailyBar = z.object({
  date: z.string().meta({ format: 'date' }),
  uptime: z
    .number()
    .nullable()
    .meta({ description: 'From 0 to 1; null where nothing was checked.', examples: [0.999] }),
  incidents: z.int().meta({ description: 'Incidents that were open on the day.', examples: [0] }),
})

const publicService = z
  .object({
    name: z.string().meta({ examples: ['checkout'] }),
    title: z.string().meta({ examples: ['Checkout'] }),
    description: z.string().meta({ examples: [''] }),
    state: z.enum(serviceStates),
    state_since: time,
    uptime: z
      .number()
      .nullable()
      .meta({
        description:
          'Of the time that was checked in the days that are shown, without reported incidents; null where nothing was checked.',
        examples: [0.9991],
      }),
    checked_seconds: z.int().meta({
      description: 'How much of that time was checked. A short time says little.',
      examples: [7_740_000],
    }),
    days: z.array(dailyBar).meta({ description: 'The last 90 days (UTC), the oldest first.' }),
  })
  .meta({ id: 'PublicService' })

const publicIncident = z
  .object({
    service: z.string().meta({ examples: ['checkout'] }),
    opened_at: time,
    closed_at: time.nullable(),
  })
  .meta({ id: 'PublicIncident' })

const publicMaintenance = z
  .object({
    service: z.string().meta({ examples: ['checkout'] }),
    starts_at: time,
    ends_at: time,
    note: z.string().meta({ examples: ['Database upgrade'] }),
  })
  .meta({ id: 'PublicMaintenance' })

export const publicStatus = z
  .object({
    title,
    description: z.string().meta({ examples: [''] }),
    state: z.enum(serviceStates).meta({ description: 'The worst state of its services.' }),
    services: z.array(publicService),
    incidents: z.array(publicIncident).meta({ description: 'The newest 50 of the last 90 days.' }),
    maintenance: z.array(publicMaintenance).meta({ description: 'Running and planned windows.' }),
    generated_at: time,
  })
  .meta({ id: 'PublicStatus' })

export type StatusPage = z.infer<typeof statusPage>
export type StatusPageInput = z.infer<typeof statusPageBody>
export type PublicStatus = z.infer<typeof publicStatus>
