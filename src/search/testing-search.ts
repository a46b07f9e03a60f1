import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { openDatabase, type Database, type Target } from '#kernel/db'
import { createLog } from '#kernel/log'
import type { SearchDocument, SearchKind } from '#kernel/search'
import { createTestDatabase } from '#test/database'
import { waitFor } from '#test/wait'
import { createSearch, type Search } from './index.ts'
import type { Pace } from './indexer.ts'
import { createTestEmbedder, type TestEmbedder } from './testing-embedder.ts'

export const quickPace = { pollMs: 20, sweepEveryMs: 20, restMs: 0, retryMs: 20 }

export interface SearchProcess {
  database: Database
  embedder: TestEmbedder
  search: Search
  /** Runs SQL beside it. */
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>
  stop(): Promise<void>
}

/** One process with a search of its own over the database. */
export async function createSearchProcess(
  given?: Target,
  embedder = createTestEmbedder(),
  pace: Partial<Pace> = {},
): Promise<SearchProcess> {
  let stop = async (): Promise<void> => undefined
  after(() => stop())
  const target = given ?? (await createTestDatabase())
  const log = await createLog({ level: 'silent', form: 'json' })
  const database = openDatabase(target, log)
  const search = createSearch({ database, embedder, log, pace: { ...quickPace, ...pace } })
  let isStopped = false
  stop = async () => {
    if (isStopped) return
    isStopped = true
    await search.stop()
    await database.close()
  }
  return {
    database,
    embedder,
    search,
    query: async <Row extends object>(text: string, values?: unknown[]) =>
      (await database.pool.query<Row>(text, values)).rows,
    stop,
  }
}

export async function createGroup(database: Database, name: string): Promise<string> {
  const id = randomUUID()
  await database.pool.query('insert into access.groups (id, name) values ($1, $2)', [id, name])
  return id
}

/** A feature's documents in memory, in the order in which they changed. */
export interface TestKind extends SearchKind {
  put(document: Partial<SearchDocument> & { id: string }): void
  drop(id: string): void
  /** How often its changes were read. */
  changesRead: number
}

export function createTestKind(kind: string, groupId: string | null, most?: number): TestKind {
  let changes: SearchDocument[] = []
  const made: TestKind = {
    kind,
    title: kind.toUpperCase(),
    ...(most !== undefined && { maxPerGroup: most }),
    changesRead: 0,
    put(document) {
      changes.push({
        groupId,
        title: document.id,
        text: '',
        url: `/${kind}/${document.id}`,
        at: new Date('2026-11-01T00:00:00Z'),
        ...document,
      })
    },
    drop(id) {
      // Its place stays taken, so that cursors keep their meaning.
      changes = changes.map((document) =>
        document.id === id ? { ...document, id: `dropped ${id}` } : document,
      )
    },
    async changed(after, limit) {
      made.changesRead++
      const start = Number(after ?? 0)
      const page = changes.slice(start, start + limit)
      const documents = page.filter((document) => !document.id.startsWith('dropped '))
      return { documents, cursor: String(start + page.length), more: start + page.length < changes.length }
    },
    async missing(documents) {
      const there = new Set(changes.map((document) => document.id))
      return documents.flatMap(({ id }) => (there.has(id) ? [] : [id]))
    },
  }
  return made
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  await waitFor('the condition', condition)
}
