import { Writable } from 'node:stream'
import { after } from 'node:test'
import pg from 'pg'
import { createAccess, type FirstStart } from '#access'
import { loadConfig, type Config } from '#kernel/config'
import { masterKey } from '#kernel/datadir'
import { openDatabase, type Target } from '#kernel/db'
import { createEvents, type EventRecord } from '#kernel/events'
import { closeHttp, createHttp, listen } from '#kernel/http'
import { createLog } from '#kernel/log'
import { createMetrics } from '#kernel/metrics'
import { createVault, type ProviderDirectory, type Vault } from '#vault'
import { createTestDatabase } from './database.ts'
import { giveEveryScope, rememberOwner } from './owner.ts'
import { call, temporaryFolder, type Answer, type CallOptions } from './product.ts'

const words = { alpha: 'anthropic', beta: 'openai', gamma: 'gemini', aggregator: 'openrouter' }

export const testProviders: ProviderDirectory = {
  list: () =>
    Object.entries(words).map(([specName, id]) => ({
      id,
      specName,
      name: id.toUpperCase(),
      baseUrl: `https://${id}.example`,
      docsUrl: `https://${id}.example/docs`,
      isActive: true,
      isCustom: false,
      prefixes: [`${id}-`],
    })),
  resolveId: (_groupId, word) =>
    Object.entries(words).find(([specName, id]) => word === specName || word === id)?.[1],
}

export interface VaultProcess {
  url: string
  config: Config
  target: Target
  vault: Vault
  first: FirstStart
  /** The first API key, with every scope; only on a first start. */
  key: string
  groupId: string
  events: EventRecord[]
  logged: () => string
  call(path: string, options?: CallOptions): Promise<Answer>
  /** Runs SQL beside the product. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  stop(): Promise<void>
}

/** People, key store and HTTP, without the rest: one replica of what serves the provider routes. */
export async function startVault(
  environment: Record<string, string> = {},
  given?: Target,
): Promise<VaultProcess> {
  const config = loadConfig({ HOST: '127.0.0.1', PORT: '0', DATA_DIR: temporaryFolder(), ...environment })
  let stop = async (): Promise<void> => undefined
  after(() => stop())
  const target = given ?? (await createTestDatabase())
  const lines: string[] = []
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString())
      done()
    },
  })
  const log = await createLog({ level: 'trace', form: 'json', destination })
  const database = openDatabase(target, log)
  const events = createEvents(log)
  const heard: EventRecord[] = []
  events.on('*', (event) => {
    heard.push(event)
    log.info(event, 'event')
  })
  const access = createAccess({ database, config, events, log, version: 'test' })
  const vault = createVault({
    database,
    config,
    events,
    log,
    masterKey: masterKey(config),
    providers: testProviders,
  })
  stop = () => database.close()
  const first = await access.firstStart()
  await giveEveryScope(target, first)
  const http = await createHttp({
    config,
    log,
    metrics: createMetrics(),
    resolvers: access.resolvers,
    version: 'test',
  })
  access.routes(http)
  vault.routes(http)
  await access.start()
  await vault.start()
  const url = await listen(http, config)
  rememberOwner(url, first)
  const group = await access.groups.forSystem(undefined)
  let isStopped = false
  stop = async () => {
    if (isStopped) return
    isStopped = true
    await closeHttp(http, { timeoutMs: 1_000 })
    await access.stop()
    await vault.stop()
    await database.close()
  }
  return {
    url,
    config,
    target,
    vault,
    first,
    key: first.firstKey?.reveal() ?? '',
    groupId: group.id,
    events: heard,
    logged: () => lines.join(''),
    call: (path, options) => call(url, path, options),
    query: (text, values) => query(target, text, values),
    stop: () => stop(),
  }
}

async function query<Row extends pg.QueryResultRow>(
  target: Target,
  text: string,
  values?: unknown[],
): Promise<Row[]> {
  if (target.kind !== 'embedded') throw new Error('Tests run on the embedded server')
  const client = new pg.Client({ ...target.address, database: target.database })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** Adds a key by the simple route and returns the route's response. */
export async function addKey(
  server: VaultProcess,
  apiKey: string,
  provider = 'openai',
  name = 'a key',
): Promise<{ id: string; provider_account_id: string }> {
  const { status, json, text } = await server.call(`/providers/${provider}`, {
    json: { api_key: apiKey, name },
  })
  if (status !== 201) throw new Error(text)
  return json as { id: string; provider_account_id: string }
}
