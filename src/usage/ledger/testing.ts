import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import type pg from 'pg'
import type { OpenEntry, Outcome, Usage } from '#gateway'
import { loadConfig } from '#kernel/config'
import { openDatabase, type Database } from '#kernel/db'
import { createEvents, type EventRecord } from '#kernel/events'
import { requestTime } from '#kernel/http'
import { createLog } from '#kernel/log'
import { createMetrics } from '#kernel/metrics'
import { createTestDatabase } from '#test/database'
import { temporaryFolder } from '#test/product'
import { idAt } from '../log/testing-rows.ts'
import { createLedger, type Ledger, type LedgerDeps } from './index.ts'

export const groupId = '00000000-0000-4000-8000-000000000001'

export const silent = await createLog({ level: 'silent', form: 'json' })

export interface TestDatabase {
  database: Database
  /** Every query fails, as without a server, until it is back. */
  away(isAway: boolean): void
  rows(): Promise<Record<string, unknown>[]>
  hours(): Promise<Record<string, unknown>[]>
}

export async function newDatabase(): Promise<TestDatabase> {
  const database = openDatabase(await createTestDatabase(), silent)
  after(() => database.close())
  let isAway = false
  const gone = (): Promise<never> =>
    Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
  const pool = new Proxy(database.pool, {
    get: (real, name) =>
      isAway && (name === 'query' || name === 'connect') ? gone : Reflect.get(real, name, real),
  })
  const all = async (table: string, order: string): Promise<Record<string, unknown>[]> => {
    const { rows } = await database.pool.query<pg.QueryResultRow>(`select * from ${table} order by ${order}`)
    return rows
  }
  return {
    database: { ...database, pool },
    away: (now) => (isAway = now),
    rows: () => all('usage.usage_logs', 'id'),
    hours: () => all('usage.hourly', 'hour, model, is_error'),
  }
}

export interface TestLedger extends Ledger {
  events: EventRecord[]
  metrics(): Promise<string>
}

export interface TestLedgerOptions extends Partial<
  Pick<LedgerDeps, 'disk' | 'estimator' | 'prices' | 'log'>
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
  const heard: EventRecord[] = []
  events.on('*', (event) => heard.push(event))
  const metrics = createMetrics()
  const ledger = createLedger({
    database,
    config: loadConfig({ DATA_DIR: dataDir, ...environment }),
    events,
    log: silent,
    metrics,
    prices: { priceFor: () => null, reachBack: async () => undefined },
    estimator: { count: async () => ({ prompt: 0, completion: 0 }), stop: async () => undefined },
    ...more,
  })
  await ledger.start()
  after(() => ledger.stop())
  return { ...ledger, events: heard, metrics: () => metrics.text() }
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
    estimateFrom: null,
    ...given,
  }
}

/** What a process that is killed now would leave, in a data directory of its own. */
export function leftByKilled(dataDir: string): string {
  const left = temporaryFolder()
  for (const [index, path] of journalFolders(dataDir).entries())
    cpSync(path, join(left, 'journal', `999999999-1-00000000000${index}`), { recursive: true })
  return left
}

export function journalFolders(dataDir: string): string[] {
  const root = join(dataDir, 'journal')
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(root, entry.name))
}

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await isSo()) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('it did not come to pass')
}
