import { z } from 'zod'
import { usageFilter } from '#usage/contract'
import { withQuery } from '../platform.ts'
import { defineTool, type Tool } from '../tool.ts'
import { cursor, limit, since, some, until } from './fields.ts'

const reads = { scope: 'read', isReader: true, output: z.looseObject({}) } as const
const one = (what: string) => z.uuid().optional().describe(`Only this ${what}, with all that it holds.`)

const usagePaths = {
  total: '/api/v1/logs/summary',
  model: '/api/v1/analytics/by-model',
  provider: '/api/v1/analytics/by-provider',
  key: '/api/v1/analytics/by-key',
  day: '/api/v1/analytics/daily',
} as const

/** Usage of the gateway, and what the group plans and does. */
export const recordTools: readonly Tool[] = [
  defineTool({
    ...reads,
    name: 'platform_usage',
    title: 'Read usage and cost',
    description: 'Requests, tokens and cost of the gateway: in total, or by model, provider, API key or day.',
    input: z.strictObject({
      by: z.enum(['total', 'model', 'provider', 'key', 'day']).default('total'),
      ...usageFilter.omit({ api_key_id: true }).shape,
    }),
    request: ({ by, ...query }) => ({ method: 'GET', path: withQuery(usagePaths[by], query) }),
  }),
  defineTool({
    ...reads,
    name: 'platform_tickets',
    title: 'Read tickets',
    description: 'Tickets, newest first, or one ticket by its id.',
    input: z.strictObject({
      id: one('ticket'),
      status: some('Statuses'),
      priority: z.string().max(40).optional(),
      assignee: z.string().max(200).optional(),
      initiative_id: z.uuid().optional().describe('Only tickets of this initiative.'),
      since,
      until,
      limit: limit(100, 20),
      cursor,
    }),
    request: ({ id, ...query }) => ({ method: 'GET', path: oneOrList('/api/tickets', id, query) }),
  }),
  defineTool({
    ...reads,
    name: 'platform_initiatives',
    title: 'Read initiatives',
    description: 'Initiatives, newest first, or one with its criteria, findings, questions and decisions.',
    input: z.strictObject({
      id: one('initiative'),
      status: some('Statuses'),
      limit: limit(100, 20),
      cursor,
    }),
    request: ({ id, ...query }) => ({ method: 'GET', path: oneOrList('/api/initiatives', id, query) }),
  }),
]

function oneOrList(path: string, id: string | undefined, query: Parameters<typeof withQuery>[1]): string {
  return id === undefined ? withQuery(path, query) : `${path}/${id}`
}
