import { z } from 'zod'
import { untrusted } from '#kernel/untrusted'
import { defineTool, type AgentTool, type Link } from './tool.ts'

const limit = z.int().min(1).max(50).default(20).describe('How many to return at most.')
const since = z.iso.datetime({ offset: true }).optional().describe('Of this time and later.')
const words = z.string().min(1).max(500).describe('Words; "quotes" for a phrase.')

type Item = Record<string, unknown>
const page = z.object({ data: z.array(z.record(z.string(), z.unknown())) })

/** A path with a query of what is given. */
function withQuery(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return `${path}?${search.toString()}`
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Long texts of a list are cut: the agent reads one of them when it needs it. */
function shortened(item: Item): Item {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      typeof value === 'string' && value.length > 1_500 ? `${value.slice(0, 1_500)}…` : value,
    ]),
  )
}

/** A list of one of the routes. */
function listTool<Input extends z.ZodObject>(tool: {
  name: string
  description: string
  one: string
  many: string
  input: Input
  path(input: z.infer<Input>, initiativeId: string): string
  link(item: Item): Link
}): AgentTool {
  return defineTool({
    name: tool.name,
    description: tool.description,
    input: tool.input,
    async run(input, { read, initiative }) {
      const { data } = page.parse(await read(tool.path(input, initiative.id)))
      const links = data.map((item) => tool.link(item))
      const items = data.map((item, index) => ({ ...shortened(item), link: links[index]?.url }))
      return {
        result: untrusted(tool.name, items),
        summary: `Read ${data.length} ${data.length === 1 ? tool.one : tool.many}`,
        links,
      }
    },
  })
}

/** What the agent may read. Every tool is one of our routes, asked with a key of the group that may only read. */
export const readTools: readonly AgentTool[] = [
  defineTool({
    name: 'read_initiative',
    description:
      'An initiative with its criteria and the history of their confidence, findings, questions, decisions, documents and links.',
    input: z.strictObject({
      id: z.string().min(1).max(63).optional().describe('ID or slug; without it, the one of this stand-up.'),
    }),
    async run({ id }, { read, initiative }) {
      const found = (await read(`/api/initiatives/${encodeURIComponent(id ?? initiative.id)}`)) as Item
      const link = { title: text(found['title']), url: `/initiatives/${text(found['slug'])}` }
      const summary = `Read the initiative ${link.title}`
      return { result: untrusted('read_initiative', { ...found, link: link.url }), summary, links: [link] }
    },
  }),
  listTool({
    name: 'list_initiatives',
    description: 'Initiatives of the group, newest first.',
    one: 'initiative',
    many: 'initiatives',
    input: z.strictObject({ limit }),
    path: ({ limit: most }) => withQuery('/api/initiatives', { limit: most }),
    link: ({ title, slug }) => ({ title: text(title), url: `/initiatives/${text(slug)}` }),
  }),
  listTool({
    name: 'list_tickets',
    description: 'Tickets of this initiative, newest first, or of the whole group.',
    one: 'ticket',
    many: 'tickets',
    input: z.strictObject({
      status: z
        .enum(['open', 'in_progress', 'done', 'cancelled'])
        .optional()
        .describe('Only tickets with this status.'),
      of_group: z.boolean().default(false).describe('True: also tickets of other initiatives and of none.'),
      limit,
    }),
    path: ({ status, of_group, limit: most }, initiativeId) =>
      withQuery('/api/tickets', {
        status,
        limit: most,
        initiative_id: of_group ? undefined : initiativeId,
      }),
    link: ({ id, title }) => ({ title: text(title), url: `/tickets/${text(id)}` }),
  }),
  listTool({
    name: 'list_deployments',
    description: 'Deployments of the group, newest first.',
    one: 'deployment',
    many: 'deployments',
    input: z.strictObject({ service: z.string().min(1).max(100).optional(), since, limit }),
    path: ({ service, since: from, limit: most }) =>
      withQuery('/api/deployments', { service, since: from, limit: most }),
    link: ({ service, version, status }) => ({
      title: [service, version, status].filter((word) => typeof word === 'string').join(' '),
      url: '/deployments',
    }),
  }),
  listTool({
    name: 'list_devlogs',
    description: 'Devlogs of the group, newest first: what people and agents wrote down about their work.',
    one: 'devlog',
    many: 'devlogs',
    input: z.strictObject({ since, limit }),
    path: ({ since: from, limit: most }) => withQuery('/api/devlogs', { since: from, limit: most }),
    link: ({ id, title }) => ({ title: text(title), url: `/devlogs/${text(id)}` }),
  }),
  listTool({
    name: 'search_events',
    description: 'Searches events of the console: deployments, errors, logs, changes.',
    one: 'event',
    many: 'events',
    input: z.strictObject({ words, since, limit }),
    path: ({ words: q, since: from, limit: most }) =>
      withQuery('/api/console/search', { q, since: from, limit: most }),
    link: ({ id, title }) => ({ title: text(title), url: `/console?event=${text(id)}&around=${text(id)}` }),
  }),
  listTool({
    name: 'search_transcripts',
    description: 'Searches sessions of coding assistants by their words.',
    one: 'session',
    many: 'sessions',
    input: z.strictObject({ words, limit }),
    path: ({ words: q, limit: most }) => withQuery('/api/transcripts/search', { q, limit: most }),
    link: ({ session }) => {
      const { id, title } = (session ?? {}) as Item
      return { title: text(title) || 'Session', url: `/transcripts/${text(id)}` }
    },
  }),
  listTool({
    name: 'read_usage',
    description: 'Requests, tokens and cost of the gateway by model.',
    one: 'model in the usage log',
    many: 'models in the usage log',
    input: z.strictObject({
      start_date: z.iso.date().optional().describe('First day, such as 2026-11-01.'),
      end_date: z.iso.date().optional(),
    }),
    path: (dates) => withQuery('/api/v1/analytics/by-model', dates),
    link: ({ model }) => ({ title: text(model), url: '/usage' }),
  }),
]
