import { z } from 'zod'
import { invalid } from '#kernel/errors'
import { groupOf, type Http } from '#kernel/http'
import { signalOf } from '#embeddings'
import { maxTextBytes } from '#embeddings/contract'
import {
  contextResponse,
  contextBody,
  rankResponse,
  rankBody,
  searchByKindBody,
  searchByKindResponse,
  searchResponse,
  searchBody,
  searchState,
  type ContextResponse,
  type RankResponse,
  type SearchByKindResponse,
  type SearchResponse,
  type SearchState,
} from './contract.ts'
import type { SearchQuery } from './search.ts'

const tags = ['Search']
const read = { needs: 'read', inGroup: true } as const
const docs = { errors: ['provider', 'providerTimeout'] } as const

export interface SearchRouteDeps {
  /** Titles of the kinds that there are. */
  kinds(): ReadonlyMap<string, string>
  search(query: SearchQuery): Promise<SearchResponse>
  byKind(query: SearchQuery): Promise<SearchByKindResponse>
  context(query: SearchQuery): Promise<ContextResponse>
  rank(query: string, texts: readonly string[], signal: AbortSignal): Promise<RankResponse>
  state(groupId: string): Promise<SearchState>
  reindex(): Promise<void>
}

export function searchRoutes(app: Http, deps: SearchRouteDeps): void {
  const checkKinds = (kinds: readonly string[] | undefined) => knownKinds(deps.kinds(), kinds)

  app.post(
    '/api/v1/search',
    {
      config: { ...read, forRuns: true },
      schema: {
        tags,
        operationId: 'search',
        summary: 'Search by meaning and by words',
        description: 'Searches everything that the group holds in Signalbox.',
        body: searchBody,
        response: { 200: searchResponse },
      },
    },
    async (request) => {
      const { query, kinds, limit } = request.body
      const group = groupOf(request)
      checkSize(query, 'query')
      return deps.search({ groupId: group.id, text: query, kinds: checkKinds(kinds), limit })
    },
  )

  app.post(
    '/api/v1/search/kinds',
    {
      config: read,
      schema: {
        tags,
        operationId: 'searchByKind',
        summary: 'Count what a search finds of each kind',
        description:
          'With the best of each kind. A count is what the search finds when it is limited to the kind.',
        body: searchByKindBody,
        response: { 200: searchByKindResponse },
      },
    },
    async (request) => {
      const { query, limit } = request.body
      const group = groupOf(request)
      checkSize(query, 'query')
      return deps.byKind({ groupId: group.id, text: query, kinds: null, limit })
    },
  )

  app.post(
    '/api/v1/context',
    {
      config: read,
      schema: {
        tags,
        operationId: 'getContext',
        summary: 'Find what is related to a text',
        description: 'The same search, with the results grouped by kind.',
        body: contextBody,
        response: { 200: contextResponse },
      },
    },
    async (request) => {
      const { text, kinds, limit } = request.body
      const group = groupOf(request)
      checkSize(text, 'text')
      return deps.context({ groupId: group.id, text, kinds: checkKinds(kinds), limit })
    },
  )

  app.post(
    '/api/v1/rank',
    {
      config: { needs: 'embeddings', inGroup: true, docs },
      schema: {
        tags,
        operationId: 'rankTexts',
        summary: 'Rank texts by their similarity to a query',
        body: rankBody,
        response: { 200: rankResponse },
      },
    },
    async (request, reply) => {
      groupOf(request)
      checkSize(request.body.query, 'query')
      request.body.texts.forEach((text, index) => {
        if (text.trim() === '') throw invalid('The text is empty.', `texts[${index}]`)
        checkSize(text, `texts[${index}]`)
      })
      return deps.rank(request.body.query, request.body.texts, signalOf(reply))
    },
  )

  app.get(
    '/api/v1/search/state',
    {
      config: read,
      schema: {
        tags,
        operationId: 'getSearchState',
        summary: 'Get the state of the search index',
        response: { 200: searchState },
      },
    },
    (request) => deps.state(groupOf(request).id),
  )

  app.post(
    '/api/v1/search/reindex',
    {
      config: { needs: 'admin', inGroup: true, docs: { noBody: true } },
      schema: {
        tags,
        operationId: 'rebuildSearchIndex',
        summary: 'Rebuild the search index',
        description: 'Reads every document again; only what changed is embedded again.',
        response: { 202: z.object({ started: z.literal(true) }) },
      },
    },
    async (request, reply) => {
      groupOf(request)
      await deps.reindex()
      return reply.code(202).send({ started: true as const })
    },
  )
}

/** Null: all. */
export function knownKinds(
  known: ReadonlyMap<string, string>,
  kinds: readonly string[] | undefined,
): readonly string[] | null {
  return (
    kinds?.map((given, index) => {
      // `devlogs` as well as `devlog`: the routes of records have the plural.
      const kind = known.has(given) ? given : given.replace(/s$/, '')
      if (known.has(kind)) return kind
      const all = [...known.keys()].join(', ')
      throw invalid(`Unknown kind. Available: ${all}.`, `kinds[${index}]`)
    }) ?? null
  )
}

function checkSize(text: string, param: string): void {
  if (Buffer.byteLength(text) > maxTextBytes) throw invalid('A text has at most 1 MiB.', param)
}
