import { z } from 'zod'
import { usageFilter } from '#usage/contract'
import { cursor, limit, since, some, textOf, until } from './fields.ts'
import { withQuery, type QueryValue } from './platform.ts'
import { defineTool, type Finds } from './tool.ts'

const reads = { scope: 'read', isReader: true, output: z.looseObject({}) } as const
const one = (what: string) => z.uuid().optional().describe(`Only this ${what}, with all that it holds.`)
const paging = { limit: limit(100, 20), cursor }

const usagePaths = {
  total: '/api/v1/logs/summary',
  model: '/api/v1/analytics/by-model',
  provider: '/api/v1/analytics/by-provider',
  key: '/api/v1/analytics/by-key',
  day: '/api/v1/analytics/daily',
} as const

export const usage = defineTool({
  ...reads,
  name: 'platform_usage',
  title: 'Read usage and cost',
  description: 'Requests, tokens and cost of the gateway: in total, or by model, provider, API key or day.',
  input: z.strictObject({
    by: z.enum(['total', 'model', 'provider', 'key', 'day']).default('total'),
    ...usageFilter.omit({ api_key_id: true }).shape,
  }),
  request: ({ by, ...query }) => ({ method: 'GET', path: withQuery(usagePaths[by], query) }),
  finds: { one: 'usage row', link: ({ model }) => ({ title: textOf(model) || 'Usage', url: '/usage' }) },
})

export const tickets = defineTool({
  ...reads,
  name: 'platform_tickets',
  title: 'Read tickets',
  description: 'Tickets, newest first, or one ticket by its ID.',
  input: z.strictObject({
    id: one('ticket'),
    status: some('Statuses'),
    priority: z.string().max(40).optional(),
    assignee: z.string().max(200).optional(),
    initiative_id: z.uuid().optional().describe('Only tickets of this initiative.'),
    since,
    until,
    ...paging,
  }),
  request: (input) => oneOrList('/api/tickets', input),
  finds: { one: 'ticket', link: titled('/tickets', 'id') },
})

export const initiatives = defineTool({
  ...reads,
  name: 'platform_initiatives',
  title: 'Read initiatives',
  description: 'Initiatives, newest first, or one with its criteria, findings, questions and decisions.',
  input: z.strictObject({
    id: z
      .string()
      .regex(/^[\w-]{1,63}$/)
      .optional()
      .describe('Only the initiative with this ID or slug, with all that it holds.'),
    status: some('Statuses'),
    ...paging,
  }),
  request: (input) => oneOrList('/api/initiatives', input),
  finds: { one: 'initiative', link: titled('/initiatives', 'slug') },
})

export const deployments = defineTool({
  ...reads,
  name: 'platform_deployments',
  title: 'Read deployments',
  description: 'Deployments of the group, newest first, or one by its ID.',
  input: z.strictObject({
    id: one('deployment'),
    service: z.string().min(1).max(100).optional().describe('Only deployments of this service.'),
    environment: z.string().min(1).max(100).optional().describe('Only deployments to this environment.'),
    status: some('Statuses'),
    since,
    until,
    ...paging,
  }),
  request: (input) => oneOrList('/api/deployments', input),
  finds: {
    one: 'deployment',
    link: ({ service, version, status }) => ({
      title: [service, version, status].filter((word) => typeof word === 'string').join(' '),
      url: '/deployments',
    }),
  },
})

export const devlogs = defineTool({
  ...reads,
  name: 'platform_devlogs',
  title: 'Read devlogs',
  description: 'What people and agents wrote down about their work, newest first, or one devlog by its ID.',
  input: z.strictObject({ id: one('devlog'), since, until, ...paging }),
  request: (input) => oneOrList('/api/devlogs', input),
  finds: { one: 'devlog', link: titled('/devlogs', 'id') },
})

/** A record with a title, on a page of its own. */
function titled(path: string, key: 'id' | 'slug'): Finds['link'] {
  return (item) => ({ title: textOf(item['title']), url: `${path}/${textOf(item[key])}` })
}

function oneOrList(path: string, { id, ...query }: { id?: string | undefined } & Record<string, QueryValue>) {
  return { method: 'GET', path: id === undefined ? withQuery(path, query) : `${path}/${id}` } as const
}
