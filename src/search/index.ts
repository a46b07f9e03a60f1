import { messageOf } from '#kernel/errors'
import type { Database } from '#kernel/db'
import type { Http } from '#kernel/http'
import type { Log } from '#kernel/log'
import type { Part } from '#kernel/part'
import type { SearchDocument, SearchKind } from '#kernel/search'
import type { Embedder } from '#embeddings'
import type { ContextResponse, SearchByKindResponse, SearchResponse, SearchState } from './contract.ts'
import { putDocuments, removeDocuments } from './document-store.ts'
import { createIndexer, defaultPace, type Pace } from './indexer.ts'
import { countKinds, forgetCursors } from './kind-store.ts'
import { createNearestBits } from './nearest-bits.ts'
import { createNearestPgvector, hasPgvector, prepareModel } from './nearest-pgvector.ts'
import { rankTexts } from './rank.ts'
import { searchRoutes } from './routes.ts'
import { savedRoutes } from './saved-routes.ts'
import { createSearchEverything, type SearchQuery } from './search.ts'
import type pg from 'pg'
import { countWaiting, findModel } from './vector-store.ts'

export interface SearchDeps {
  database: Database
  embedder: Embedder
  log: Log
  pace?: Partial<Pace>
}

export interface Search extends Part {
  /** Adds a part's documents to the index. Call it before `start`. */
  register(kind: SearchKind): void
  /** Documents that should be found at once, without waiting for the next poll. */
  index(kind: string, documents: readonly SearchDocument[]): Promise<void>
  remove(kind: string, ids: readonly string[]): Promise<void>
  search(query: SearchQuery): Promise<SearchResponse>
  /** What there is about a text, by kind. */
  context(query: SearchQuery): Promise<ContextResponse>
  state(groupId: string): Promise<SearchState>
  routes(app: Http): void
  start(): Promise<void>
  stop(): Promise<void>
}

/**
 * Search over everything that parts hand in: by meaning, by words, and by both together.
 *
 * @example
 * const search = createSearch({ ...kernel, embedder })
 * search.register(ticketKind) // before `start`
 * const found = await search.search({ groupId, text: 'late train', kinds: null, limit: 10 })
 */
export function createSearch({ database, embedder, log, pace }: SearchDeps): Search {
  const { pool } = database
  const kinds = new Map<string, SearchKind>()
  const model = createCurrentModel(pool, embedder)
  const stopping = new AbortController()
  const bits = createNearestBits(pool)
  let nearest = bits
  let preparing = Promise.resolve()
  const indexer = createIndexer({
    pool,
    sessions: database.sessions,
    kinds,
    embedder,
    nearest: () => nearest,
    model,
    log,
    pace: { ...defaultPace, ...pace },
  })
  const everything = createSearchEverything({ pool, embedder, nearest: () => nearest, model, kinds, log })

  /** The extension is used once all vectors are in it; until then the bit signs are. */
  async function preparePgvector(): Promise<void> {
    try {
      if (!(await hasPgvector(pool, log))) return
      const prepared = createNearestPgvector(pool, bits)
      await prepareModel(database.sessions, await model(), stopping.signal)
      if (!stopping.signal.aborted) nearest = prepared
    } catch (error) {
      log.warn({ reason: messageOf(error) }, 'pgvector could not be prepared; searching without it')
    }
  }

  async function state(groupId: string): Promise<SearchState> {
    const counts = new Map((await countKinds(pool, groupId, await model())).map((row) => [row.kind, row]))
    const perKind = [...kinds.values()].map(({ kind, title }) => ({
      ...(counts.get(kind) ?? { documents: 0, chunks: 0, waiting: 0 }),
      kind,
      title,
    }))
    const sum = (what: 'documents' | 'chunks' | 'waiting'): number =>
      perKind.reduce((total, row) => total + row[what], 0)
    const [chunks, waiting] = [sum('chunks'), sum('waiting')]
    return {
      model: embedder.model,
      fingerprint: embedder.fingerprint,
      engine: nearest.name,
      documents: sum('documents'),
      chunks,
      waiting,
      progress: chunks === 0 ? 100 : Math.floor(((chunks - waiting) / chunks) * 1_000) / 10,
      kinds: perKind,
    }
  }

  const titles = (): Map<string, string> =>
    new Map([...kinds.values()].map(({ kind, title }) => [kind, title]))
  const context = (query: SearchQuery): Promise<ContextResponse> => everything.context(query, titles())
  const byKind = (query: SearchQuery): Promise<SearchByKindResponse> => everything.byKind(query, titles())

  return {
    name: 'search',
    role: 'embeddings',
    register(kind) {
      if (kinds.has(kind.kind)) throw new Error(`The kind "${kind.kind}" is registered twice`)
      kinds.set(kind.kind, kind)
    },
    async index(kind, documents) {
      await putDocuments(pool, kind, documents)
      indexer.wake()
    },
    remove: (kind, ids) => removeDocuments(pool, kind, ids),
    search: everything.search,
    context,
    state,
    queues: { search_vectors: async () => countWaiting(pool, await model()) },
    routes(app) {
      savedRoutes(app, pool, titles)
      searchRoutes(app, {
        kinds: titles,
        search: everything.search,
        byKind,
        context,
        rank: (query, texts, signal) => rankTexts(embedder, query, texts, signal),
        state,
        async reindex() {
          await forgetCursors(pool)
          indexer.wake()
        },
      })
    },
    async start() {
      preparing = preparePgvector()
      indexer.start()
    },
    async stop() {
      stopping.abort()
      await indexer.stop()
      await preparing
    },
  }
}

const noteUseEveryMs = 3_600_000

/** The number of the embedder's model in the tables. Asking for it now and then keeps its vectors from being dropped. */
function createCurrentModel(pool: pg.Pool, embedder: Embedder): () => Promise<number> {
  let known: { fingerprint: string; until: number; id: Promise<number> } | undefined
  return async () => {
    const { fingerprint, model } = embedder
    if (known?.fingerprint === fingerprint && Date.now() < known.until) return known.id
    const id = findModel(pool, fingerprint, model)
    known = { fingerprint, until: Date.now() + noteUseEveryMs, id }
    id.catch(() => (known = undefined))
    return id
  }
}
