import { z } from 'zod'

/** Shapes of what needs attention. Browser-safe. */

export const attentionItem = z
  .object({
    kind: z.string().meta({ examples: ['service_down'] }),
    severity: z.enum(['info', 'warning', 'error', 'critical']),
    title: z.string().meta({ examples: ['2 services are down'] }),
    detail: z.string().meta({ examples: ['checkout, search'] }),
    url: z
      .string()
      .meta({ description: 'Where it is dealt with, in the dashboard.', examples: ['/services?state=down'] }),
    count: z
      .number()
      .int()
      .meta({ description: 'How many things it stands for.', examples: [2] }),
    since: z
      .string()
      .nullable()
      .meta({ description: 'Of the oldest thing.', examples: ['2026-11-18T09:30:00.000Z'] }),
    paths: z.array(z.string()).meta({
      description: 'The pages of the things. Notifications with one of these paths are about them.',
      examples: [['/services/checkout', '/services/search']],
    }),
  })
  .meta({ id: 'AttentionItem' })
export type AttentionItem = z.infer<typeof attentionItem>

export const attentionList = z
  .object({
    data: z.array(attentionItem),
    total: z
      .number()
      .int()
      .meta({ description: 'All things, and unread notifications about other things.', examples: [3] }),
  })
  .meta({ id: 'Attention' })
export type AttentionList = z.infer<typeof attentionList>
