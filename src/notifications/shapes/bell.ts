import { z } from 'zod'
import { nextCursor } from '#kernel/paging'
import { time } from './fields.ts'
import { notificationSeverity, notificationState } from './notification.ts'

export const bellItem = z
  .object({
    id: z.uuid(),
    alert_id: z.uuid().nullable(),
    kind: z.string().meta({ examples: ['service_down'] }),
    severity: notificationSeverity,
    state: notificationState,
    title: z.string().meta({ examples: ['checkout is down'] }),
    text: z.string().meta({ examples: ['3 health checks in a row failed.'] }),
    path: z.string().meta({ description: 'Where it leads in the dashboard.', examples: ['/services'] }),
    count: z
      .number()
      .int()
      .meta({ description: 'How often it was reported.', examples: [1] }),
    is_read: z.boolean(),
    at: time,
    last_at: time,
  })
  .meta({ id: 'BellNotification' })
export type BellItem = z.infer<typeof bellItem>

export const bellPage = z
  .object({
    data: z.array(bellItem),
    unread: z
      .number()
      .int()
      .meta({ description: 'At most 1,000.', examples: [3] }),
    next_cursor: nextCursor,
  })
  .meta({ id: 'Bell' })
export type BellPage = z.infer<typeof bellPage>

export const readBody = z
  .object({
    ids: z.array(z.uuid()).min(1).max(1_000).optional(),
    up_to: z
      .uuid()
      .optional()
      .meta({ description: 'This notification and everything older. Neither this nor `ids`: all.' }),
    group_id: z.uuid().optional(),
  })
  .meta({ examples: [{ ids: ['0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f'] }] })
