import { z } from 'zod'
import { isTimeZone } from '#kernel/time-zone'
import { isVisible } from '../run/visible.ts'

/** Shapes of schedules. Browser-safe. */

const time = z.string().meta({ format: 'date-time', examples: ['2026-11-17T08:00:00.000Z'] })

const fields = {
  cron: z
    .string()
    .max(100)
    .trim()
    .meta({
      description: 'Minute, hour, day of the month, month, day of the week; as cron has them.',
      examples: ['0 9 * * 1-5'],
    }),
  time_zone: z
    .string()
    .max(64)
    .refine(isTimeZone, 'must be a time zone such as Europe/Berlin')
    .meta({ description: 'In which the times are meant.', examples: ['Europe/Berlin'] }),
  request: z
    .string()
    .max(20_000)
    .trim()
    .min(1)
    .refine(isVisible, 'must have text that can be seen')
    .meta({
      pattern: String.raw`\S`,
      description: 'What the agent is to do, in plain words.',
      examples: ['Validate the orders of yesterday'],
    }),
  enabled: z.boolean().meta({ description: 'False: it starts no run.' }),
}

export const scheduleBody = z
  .strictObject({
    ...fields,
    time_zone: fields.time_zone.default('UTC'),
    enabled: fields.enabled.default(true),
    group_id: z.uuid().optional(),
  })
  .meta({ examples: [{ cron: '0 9 * * 1-5', request: 'Validate the orders of yesterday' }] })

export const scheduleChange = z
  .strictObject({ ...fields, group_id: z.uuid() })
  .partial()
  .meta({ examples: [{ enabled: false }] })

export const schedule = z
  .object({
    id: z.uuid(),
    group_id: z.uuid(),
    agent_id: z.string().meta({ examples: ['data-engineer'] }),
    ...fields,
    time_zone: z.string(),
    in_words: z.string().meta({ examples: ['every Monday to Friday at 9:00'] }),
    next_at: time.nullable().meta({ description: 'Null while it is switched off.' }),
    last_at: time.nullable(),
    last_run_id: z.uuid().nullable(),
    last_error: z
      .string()
      .nullable()
      .meta({ description: 'Why the last time started no run.', examples: [null] }),
    runs_as: z.string().meta({
      description: 'Whose rights its runs have: who made it, or changed it last.',
      examples: ['Ada'],
    }),
    created_at: time,
    updated_at: time,
  })
  .meta({
    id: 'AgentSchedule',
    examples: [
      {
        id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
        group_id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0a',
        agent_id: 'data-engineer',
        cron: '0 9 * * 1-5',
        time_zone: 'Europe/Berlin',
        request: 'Validate the orders of yesterday',
        enabled: true,
        in_words: 'every Monday to Friday at 9:00',
        next_at: '2026-11-17T08:00:00.000Z',
        last_at: null,
        last_run_id: null,
        last_error: null,
        runs_as: 'Ada',
        created_at: '2026-11-16T09:30:00.000Z',
        updated_at: '2026-11-16T09:30:00.000Z',
      },
    ],
  })

export type Schedule = z.infer<typeof schedule>
export type ScheduleBody = z.infer<typeof scheduleBody>
export type ScheduleChange = z.infer<typeof scheduleChange>
