import { after } from 'node:test'
import { createAccess } from '#access'
import { loadConfig } from '#kernel/config'
import { openDatabase } from '#kernel/db'
import { createEvents } from '#kernel/events'
import { closeHttp, createHttp, listen } from '#kernel/http'
import { createLog } from '#kernel/log'
import { createMetrics } from '#kernel/metrics'
import { createTestDatabase } from '#test/database'
import { giveEveryScope, rememberOwner } from '#test/owner'
import { call, temporaryFolder, type Answer, type CallOptions } from '#test/product'
import { createSearch, type Search } from './index.ts'
import { createTestEmbedder, type TestEmbedder } from './testing-embedder.ts'
import { quickPace } from './testing-search.ts'

export interface SearchServer {
  search: Search
  embedder: TestEmbedder
  /** The first group, in which the first key acts. */
  groupId: string
  key: string
  query(text: string, values?: unknown[]): Promise<unknown[]>
  call(path: string, options?: CallOptions): Promise<Answer>
}

/** People, HTTP and the search, without the rest. */
export async function startSearchServer(): Promise<SearchServer> {
  const config = loadConfig({ HOST: '127.0.0.1', PORT: '0', DATA_DIR: temporaryFolder() })
  let stop = async (): Promise<void> => undefined
  after(() => stop())
  const target = await createTestDatabase()
  const log = await createLog({ level: 'silent', form: 'json' })
  const database = openDatabase(target, log)
  const access = createAccess({
    database,
    config,
    events: createEvents(log),
    log,
    version: 'test',
  })
  const first = await access.firstStart()
  await giveEveryScope(target, first)
  const embedder = createTestEmbedder()
  const search = createSearch({ database, embedder, log, pace: quickPace })
  const http = await createHttp({
    config,
    log,
    metrics: createMetrics(),
    resolvers: access.resolvers,
    version: 'test',
  })
  access.routes(http)
  search.routes(http)
  await access.start()
  await search.start()
  const url = await listen(http, config)
  rememberOwner(url, first)
  stop = async () => {
    await closeHttp(http, { timeoutMs: 1_000 })
    await search.stop()
    await access.stop()
    await database.close()
  }
  return {
    search,
    embedder,
    groupId: first.groupId,
    key: first.firstKey?.reveal() ?? '',
    query: async (text, values) => (await database.pool.query(text, values)).rows,
    call: (path, options) => call(url, path, options),
  }
}
