import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import type pg from 'pg'
import type { OpenEntry, Outcome, Usage } from '#gateway'
import { loadConfig } from '#kernel/config'
import { openDatabase, type Database } from '#kernel/db'
import { createEvents, type EventRecord } from '#kernel/events'
import { createLog } from '#kernel/log'
import { createMetrics } from '#kernel/metrics'
import { requestTime } from '#kernel/uuid'
import { createTestDatabase } from '#test/database'
import { temporaryFolder } from '#test/product'
import { waitFor } from '#test/wait'
import { idAt } from '../log/testing-rows.ts'
import { createLedger, type Ledger, type LedgerDeps } from './index.ts'

export const groupId = '00000000-0000-4000-8000-000000000001'

export const silent = await createLog({ level: 'silent', form: 'json' })

export interface TestDatabase {
  database: Database
  /** While true, every query fails as without a server. */
  setOffline(isOffline: boolean): void
  rows(): Promise<Record<string, unknown>[]>
  hours(): Promise<Record<string, unknown>[]>
}

/** A member as the object itself has it: private fields are not reached through a proxy. */
export function ownMember<T extends object>(real: T, name: string | symbol): unknown {
  const value = Reflect.get(real, name, real) as unknown
  return typeof value === 'function' ? (value.bind(real) as unknown) : value
}

export async function newDatabase(): Promise<TestDatabase> {
  const database = openDatabase(await createTestDatabase(), silent)
  after(() => database.close())
  let isOffline = false
  const refused = (): Promise<never> =>
    Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
  const pool = new Proxy(database.pool, {
    get: (real, name) =>
      isOffline && (name === 'query' || name === 'connect') ? refused : ownMember(real, name),
  })
  const all = async (table: string, order: string): Promise<Record<string, unknown>[]> => {
    const { rows } = await database.pool.query<pg.QueryResultRow>(`select * from ${table} order by ${order}`)
    return rows
  }
  return {
    database: { ...database, pool },
    setOffline: (now) => (isOffline = now),
    rows: () => all('usage.usage_logs', 'id'),
    hours: () => all('usage.hourly', 'hour, model, is_error'),
  }
}

export interface TestLedger extends Ledger {
  events: EventRecord[]
  metrics(): Promise<string>
}

export interface TestLedgerOptions extends Partial<
  Pick<LedgerDeps, 'disk' | 'estimator' | 'events' | 'prices' | 'log'>
> {
  database: Database
  dataDir: string
  environment?: Record<string, string>
}

export async function startLedger({
  database,
  dataDir,
  environment,
  ...more
}: TestLedgerOptions): Promise<TestLedger> {
  const events = createEvents(silent)
  const emitted: EventRecord[] = []
  events.on('*', (event) => emitted.push(event))
  const metrics = createMetrics()
  const ledger = createLedger({
    database,
    config: loadConfig({ DATA_DIR: dataDir, ...environment }),
    events,
    log: silent,
    metrics,
    prices: { priceFor: () => null, loadBackTo: async () => undefined },
    estimator: { count: async () => ({ prompt: 0, completion: 0 }), stop: async () => undefined },
    ...more,
  })
  await ledger.start()
  after(() => ledger.stop())
  return { ...ledger, events: emitted, metrics: () => metrics.text() }
}

export function newEntry(given: Partial<OpenEntry> = {}, at = Date.now()): OpenEntry {
  const requestId = `req_${idAt(new Date(at)).replaceAll('-', '')}`
  return {
    requestId,
    startedAt: requestTime(requestId),
    groupId,
    apiKeyId: null,
    provider: 'openai',
    providerKeyId: null,
    model: 'gpt-6-sol',
    endpoint: '/v1/chat/completions',
    isStream: false,
    userLabel: null,
    sessionKey: null,
    subagentKey: null,
    metadata: null,
    ...given,
  }
}

const usage: Usage = {
  uncached: 10,
  cacheRead: 0,
  cacheWrite: 0,
  cacheWriteLong: 0,
  output: 5,
  reasoning: 0,
  audioInput: 0,
  audioOutput: 0,
  statedCost: null,
  units: {},
}

export function newOutcome(given: Partial<Outcome> = {}): Outcome {
  return {
    endedAt: new Date(),
    statusCode: 200,
    errorMessage: null,
    ttftMs: null,
    usage,
    upstreamRequestId: null,
    estimateFrom: null,
    ...given,
  }
}

/** A new data directory with the journal that this process would leave if it were killed now. */
export function copyOfJournal(dataDir: string): string {
  const copy = temporaryFolder()
  for (const [index, path] of journalFolders(dataDir).entries())
    cpSync(path, join(copy, 'journal', `999999999-1-00000000000${index}`), { recursive: true })
  return copy
}

/** Everything that is on the disk: the JSON of records is in it as it is. */
export function journalText(dataDir: string): string {
  const files = journalFolders(dataDir).flatMap((path) =>
    readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(path, entry.name), 'latin1')),
  )
  return files.join('')
}

export function journalFolders(dataDir: string): string[] {
  const root = join(dataDir, 'journal')
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(root, entry.name))
}

export async function until(isMet: () => boolean | Promise<boolean>): Promise<void> {
  await waitFor('the condition', isMet)
}
