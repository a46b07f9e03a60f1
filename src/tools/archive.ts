import { z } from 'zod'
import { searchBody } from '#search/contract'
import { withQuery } from './platform.ts'
import { defineTool } from './tool.ts'
import { cursor, limit, page, since, some, textOf, until, words } from './fields.ts'

const reads = { scope: 'read', isReader: true } as const

export const search = defineTool({
  ...reads,
  name: 'platform_search',
  title: 'Search everything',
  description: 'Searches all that the group holds in Signalbox, by meaning and by words.',
  input: searchBody.omit({ group_id: true }),
  output: z.looseObject({}),
  request: (body) => ({ method: 'POST', path: '/api/v1/search', body }),
})

export const transcriptSearch = defineTool({
  ...reads,
  name: 'platform_transcripts_search',
  title: 'Search sessions of coding assistants',
  description: 'Searches titles, messages, tool calls and their results by their words.',
  input: z.strictObject({
    q: words,
    project: some('Projects'),
    assistant: some('Assistants'),
    since,
    until,
    limit: limit(50, 20),
    cursor,
  }),
  output: page,
  request: (input) => ({ method: 'GET', path: withQuery('/api/transcripts/search', input) }),
  finds: {
    one: 'session',
    link({ session }) {
      const { id, title } = (session ?? {}) as Record<string, unknown>
      return { title: textOf(title) || 'Session', url: `/transcripts/${textOf(id)}` }
    },
  },
})

export const transcript = defineTool({
  ...reads,
  name: 'platform_transcript',
  title: 'Read a session of a coding assistant',
  description: 'A session with a page of its messages, by the id that a search returned.',
  input: z.strictObject({
    id: z.uuid().describe('The id of the session.'),
    show: z
      .enum(['prompts', 'tools', 'errors'])
      .optional()
      .describe('Only what a person wrote, only tool calls, or only failures.'),
    order: z.enum(['asc', 'desc']).optional().describe('Oldest or newest first.'),
    around: z.uuid().optional().describe('The id of a message, which is returned with its neighbours.'),
    limit: limit(100, 50),
    cursor,
  }),
  output: z.looseObject({ session: z.looseObject({}) }),
  request: ({ id, ...query }) => ({ method: 'GET', path: withQuery(`/api/transcripts/${id}`, query) }),
})

export const eventSearch = defineTool({
  ...reads,
  name: 'platform_console_search',
  title: 'Search events of the console',
  description: 'Deployments, errors, logs, tickets and other events, searched by their words.',
  input: z.strictObject({
    q: words,
    service: some('Services'),
    type: some('Types of events'),
    severity: z.string().max(20).optional().describe('This severity and above.'),
    sort: z.enum(['time', 'rank']).optional().describe('Newest or best first.'),
    since,
    until,
    limit: limit(200, 20),
    cursor,
  }),
  output: page,
  request: (input) => ({ method: 'GET', path: withQuery('/api/console/search', input) }),
  finds: {
    one: 'event',
    link: ({ id, title }) => ({
      title: textOf(title),
      url: `/console?event=${textOf(id)}&around=${textOf(id)}`,
    }),
  },
})
