import type pg from 'pg'
import { z } from 'zod'
import { groupOf, type Http } from '#kernel/http'
import {
  messageKind,
  messageRole,
  projectList,
  sessionList,
  sessionPage,
  unknownList,
  hitList,
  watcherList,
  type ModelCost,
} from '../contract.ts'
import { kinds, roles } from '../derive/index.ts'
import type { TranscriptSearch } from '../search/index.ts'
import * as store from '../store/read-store.ts'
import type { SessionRow } from '../store/read-store.ts'
import { groupNo } from '../store/source-store.ts'
import { messageId } from './message-id.ts'
import { pageOf } from './message-page.ts'
import { groupId } from '#kernel/paging'
import {
  listQuery,
  parseFilter,
  parseListCursor,
  parseOffset,
  searchQuery,
  sessionQuery,
  wordsOf,
} from './query.ts'
import type { SessionCosts } from './session-costs.ts'
import { invalidChoice, sessionDetail } from './session-detail.ts'
import { sessionId, sessionOf } from './session-of.ts'
import { sessionJson } from './to-json.ts'

const tags = ['Transcripts']
const read = { needs: 'read', inGroup: true } as const
const maxUnknown = 200

export interface ReadDeps {
  pool: pg.Pool
  search: TranscriptSearch
  usage: SessionCosts | null
}

export function readRoutes(app: Http, { pool, search, usage }: ReadDeps): void {
  const costsOf = async (group: string, rows: readonly SessionRow[], isWaiting = true) =>
    (await usage?.costs(
      group,
      rows.map(({ external_id }) => external_id),
      isWaiting,
    )) ?? new Map<string, ModelCost[]>()

  app.get(
    '/api/transcripts',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listTranscripts',
        summary: 'List sessions of coding assistants',
        description: 'The one with the newest activity first; subagents are left out.',
        querystring: listQuery,
        response: { 200: sessionList },
      },
    },
    async (request) => {
      const { limit, cursor, include, parent_id, external_id } = request.query
      const group = groupOf(request)
      const no = await groupNo(pool, group.id)
      const filter = {
        ...parseFilter(no ?? 0, request.query),
        includeSubagents: include === 'subagents',
        parentId: parent_id ?? null,
        externalId: external_id ?? null,
      }
      const rows = await store.listSessions(pool, filter, {
        after: parseListCursor(cursor),
        limit: limit + 1,
      })
      const shown = rows.slice(0, limit)
      const costs = await costsOf(group.id, shown)
      const last = shown.at(-1)
      return {
        data: shown.map((row) => sessionJson(row, costs.get(row.external_id))),
        next_cursor: rows.length > limit && last ? `${last.listed_at}_${last.no}` : null,
      }
    },
  )

  app.get(
    '/api/transcripts/search',
    {
      config: { ...read, forRuns: true },
      schema: {
        tags,
        operationId: 'searchTranscripts',
        summary: 'Search sessions by their words',
        description: 'Searches titles, summaries, messages, tool calls and their results.',
        querystring: searchQuery,
        response: { 200: hitList },
      },
    },
    async (request) => {
      const { q, limit, cursor, sort, role, kind, tool, session_id } = request.query
      const group = groupOf(request)
      const no = await groupNo(pool, group.id)
      const filter = parseFilter(no ?? 0, request.query)
      const offset = parseOffset(cursor)
      const session = session_id === undefined ? null : await store.findSession(pool, no ?? 0, session_id)
      if (session === undefined) return { data: [], next_cursor: null }
      const hits = await search.find({
        text: q,
        filter,
        roles: chosen(role, 'role', messageRole.options),
        kinds: chosen(kind, 'kind', messageKind.options),
        tools: wordsOf(tool, 'tool'),
        sessionNo: session?.no ?? null,
        sort,
        offset,
        limit,
      })
      const shown = hits.slice(0, limit)
      const sessions = await store.sessionsOf(pool, [...new Set(shown.map(({ sessionNo }) => sessionNo))])
      // Costs of the last seconds may be missing: a search does not wait for them.
      const costs = await costsOf(group.id, sessions, false)
      const byNo = new Map(sessions.map((row) => [row.no, row]))
      return {
        data: shown.flatMap(({ sessionNo, message, rank, highlight }) => {
          const row = byNo.get(sessionNo)
          if (row === undefined) return []
          return [
            {
              session: sessionJson(row, costs.get(row.external_id)),
              message_id: message && messageId(row.id, message.key),
              role: message && (roles[message.role] ?? null),
              kind: message && (kinds[message.kind] ?? null),
              tool_name: message?.tool_name ?? null,
              created_at: message?.created_at?.toISOString() ?? null,
              rank,
              highlight,
            },
          ]
        }),
        next_cursor: hits.length > limit ? String(offset + limit) : null,
      }
    },
  )

  app.get(
    '/api/transcripts/projects',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listTranscriptProjects',
        summary: 'List the projects that sessions worked on',
        description: 'The one with the newest activity first, at most 1,000.',
        querystring: z.object(groupId),
        response: { 200: projectList },
      },
    },
    async (request) => {
      const no = await groupNo(pool, groupOf(request).id)
      const rows = no === null ? [] : await store.listProjects(pool, no)
      return { data: rows.map((row) => ({ ...row, last_at: row.last_at?.toISOString() ?? null })) }
    },
  )

  app.get(
    '/api/transcripts/watchers',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listTranscriptWatchers',
        summary: 'List the watchers that send sessions',
        querystring: z.object(groupId),
        response: { 200: watcherList },
      },
    },
    async (request, reply) => {
      const no = await groupNo(pool, groupOf(request).id)
      const rows = no === null ? [] : await store.listWatchers(pool, no)
      const data = rows.map(({ machine, report, seen_at }) => ({
        machine,
        ...(report as object),
        seen_at: seen_at.toISOString(),
      }))
      return reply.send({ data } as never)
    },
  )

  app.get(
    '/api/transcripts/:id',
    {
      config: { ...read, forRuns: true },
      schema: {
        tags,
        operationId: 'getTranscript',
        summary: 'Get a session with its messages',
        params: sessionId,
        querystring: sessionQuery,
        response: { 200: sessionPage },
      },
    },
    async (request) => {
      const { groupId: group, session } = await sessionOf(pool, request, request.params.id)
      const detail = await sessionDetail(pool, usage, group, session)
      const page = await pageOf(pool, session, detail.subagents, request.query)
      return { session: detail, ...page }
    },
  )

  app.get(
    '/api/transcripts/:id/unknown',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listUnknownTranscriptRecords',
        summary: 'List the records of a session that Signalbox does not know',
        params: sessionId,
        querystring: z.object(groupId),
        response: { 200: unknownList },
      },
    },
    async (request) => {
      const { session } = await sessionOf(pool, request, request.params.id)
      const rows = await store.listUnknown(pool, session.no, maxUnknown)
      return {
        data: rows.map(({ reason, line, is_cut }) => ({ reason, line, cut: is_cut })),
        total: session.unknown_records,
      }
    },
  )
}

function chosen(text: string | undefined, path: string, known: readonly string[]): string[] {
  const words = wordsOf(text, path)
  if (!words.every((word) => known.includes(word))) throw invalidChoice(path, known)
  return words
}
