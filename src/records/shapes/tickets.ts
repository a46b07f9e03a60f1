import { z } from 'zod'
import { groupId, whole } from '#kernel/paging'
import {
  anyText,
  externalId,
  line,
  markdown,
  oneOrMore,
  pagingOfTexts,
  since,
  source,
  time,
  timeInput,
  until,
  webAddress,
} from './fields.ts'

export const ticketStatuses = ['open', 'in_progress', 'done', 'cancelled'] as const
export type TicketStatus = (typeof ticketStatuses)[number]

const status = z.enum(ticketStatuses)

const fields = z.object({
  title: line(500),
  description: markdown.optional(),
  status: status.default('open'),
  priority: line(40)
    .nullable()
    .optional()
    .meta({ description: 'Any word. The dashboard sorts `urgent`, `high`, `medium` and `low`.' }),
  assignee: line(200).nullable().optional(),
  initiative_id: z.uuid().nullable().optional(),
  url: webAddress.nullable().optional(),
  created_at: timeInput.optional().meta({ description: 'Defaults to now.' }),
  started_at: timeInput
    .nullable()
    .optional()
    .meta({ description: 'When work began. Defaults to the time of the status `in_progress`.' }),
  completed_at: timeInput
    .nullable()
    .optional()
    .meta({ description: 'Only with the status `done`. Defaults to now.' }),
  cancelled_at: timeInput
    .nullable()
    .optional()
    .meta({ description: 'Only with the status `cancelled`. Defaults to now.' }),
  source: source.default('api'),
  external_id: externalId.nullable().optional(),
})

export const ticketBody = fields
  .extend(groupId)
  .strict()
  .meta({ examples: [{ title: 'Receipts are sent twice', priority: 'high', assignee: 'ada' }] })

/** What is not sent keeps its value. */
export const ticketChange = fields
  .omit({ source: true, external_id: true, created_at: true })
  .extend({ status })
  .partial()
  .strict()
  .meta({ examples: [{ status: 'in_progress' }] })

export const ticket = z
  .object({
    id: z.uuid(),
    group_id: z.uuid(),
    title: z.string(),
    description: z.string().meta({ description: 'Markdown.' }),
    status,
    priority: z.string().nullable(),
    assignee: z.string().nullable(),
    initiative_id: z.uuid().nullable(),
    url: z.string().nullable(),
    created_at: time,
    started_at: time.nullable(),
    completed_at: time.nullable(),
    cancelled_at: time.nullable(),
    last_activity_at: time,
    source: z.string(),
    external_id: z.string().nullable(),
    agent_id: z.string().nullable().meta({ description: 'The agent that it was assigned to last.' }),
    run_id: z.uuid().nullable().meta({ description: 'The run that works on it, or did last.' }),
    run_status: z.enum(['queued', 'running', 'waiting', 'completed', 'failed', 'cancelled']).nullable(),
    run_result: z
      .string()
      .nullable()
      .meta({ description: 'What the agent said at the end, or why its run failed. Markdown.' }),
    updated_at: time,
  })
  .meta({
    id: 'Ticket',
    examples: [
      {
        id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
        group_id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0a',
        title: 'Receipts are sent twice',
        description: '',
        status: 'in_progress',
        priority: 'high',
        assignee: 'ada',
        initiative_id: null,
        url: null,
        created_at: '2026-11-16T09:30:00.000Z',
        started_at: '2026-11-16T10:00:00.000Z',
        completed_at: null,
        cancelled_at: null,
        last_activity_at: '2026-11-16T10:00:00.000Z',
        source: 'api',
        external_id: null,
        agent_id: null,
        run_id: null,
        run_status: null,
        run_result: null,
        updated_at: '2026-11-16T10:00:00.000Z',
      },
    ],
  })

export const ticketQuery = z.object({
  status: oneOrMore(ticketStatuses, 'Only tickets with this status.'),
  priority: anyText(40).optional().meta({ description: 'Only tickets with this priority.' }),
  assignee: anyText(200).optional().meta({ description: 'Only tickets of this person.' }),
  initiative_id: z.uuid().optional().meta({ description: 'Only tickets of this initiative.' }),
  since,
  until,
  completed_since: timeInput.optional().meta({ description: 'Only those completed at or after this time.' }),
  completed_until: timeInput.optional().meta({ description: 'Only those completed before this time.' }),
  stale_days: whole(1, 3_650)
    .optional()
    .meta({ description: 'Only those that are not finished and had no activity for this many days.' }),
  ...pagingOfTexts,
})

export type Ticket = z.infer<typeof ticket>
export type TicketInput = z.infer<typeof ticketBody>
export type TicketChange = z.infer<typeof ticketChange>
export type TicketQuery = z.infer<typeof ticketQuery>
