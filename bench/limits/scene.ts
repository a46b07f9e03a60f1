import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startFakeProvider } from '#fake-provider'
import { startDatabase, type BenchDatabase } from '../ledger/database.ts'
import { startServer, type Server } from '../ledger/server.ts'

export const model = 'gpt-6-sol'
/** 1,000 tokens in at 1 dollar a million, 100 out at 10 dollars. */
export const requestCost = 0.002
export const budget = 1

export interface Scene extends AsyncDisposable {
  database: BenchDatabase
  replicas: Server[]
  key: string
  startReplica(index: number): Promise<void>
  /** What the usage log has. */
  spent(): Promise<number>
  /** How long ago the oldest process that still holds a share was seen, in seconds. */
  oldestHolder(): Promise<number>
}

const workers = 2

/** Two replicas with two workers each, a provider that answers within a moment, and a budget of one dollar. */
export async function setScene(): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-limits-'))
  const database = await startDatabase(join(folder, 'database'))
  const fake = await startFakeProvider()
  fake.always({}, { usage: { input: 1_000, output: 100, cached: 0, reasoning: 0 }, headersAfterMs: 150 })
  const masterKey = Buffer.alloc(32, 'bench').toString('base64')
  const upstream = { ...fake.baseUrls, MASTER_KEY: masterKey }
  const replicas: Server[] = []
  const dataDir = (index: number): string => join(folder, `data-${index}`)
  const startReplica = async (index: number): Promise<void> => {
    replicas[index] = await startServer({
      ...{ dataDir: dataDir(index), databaseUrl: database.url, upstream, workers },
    })
  }
  await startReplica(0)
  const { key = '', url } = replicas[0] as Server
  await startReplica(1)
  const owner = readFileSync(join(dataDir(0), 'owner.token'), 'utf8').trim()
  const send = async (method: string, path: string, body: object): Promise<void> => {
    const headers = { 'x-owner-token': owner, 'content-type': 'application/json' }
    const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  }
  await send('PUT', `/api/v1/pricing/${model}`, { input_price_per_1m: '1', output_price_per_1m: '10' })
  const subject = { type: 'group' }
  await send('POST', '/api/v1/limits', { subject, metric: 'cost', amount: String(budget), window: 'month' })
  // The other processes hear of it by a notification.
  await wait(500)
  return {
    ...{ database, replicas, key, startReplica },
    async spent() {
      const [row] = await database.query<{ cost: string | null }>(
        'select sum(input_cost + output_cost)::float8 as cost from usage.usage_logs',
      )
      return Number(row?.cost ?? 0)
    },
    async oldestHolder() {
      const [row] = await database.query<{ age: number | null }>(
        `select extract(epoch from now() - min(h.seen_at))::float8 as age
         from limits.leases l join limits.holders h on h.id = l.holder`,
      )
      return row?.age ?? 0
    },
    async [Symbol.asyncDispose]() {
      for (const replica of replicas) await replica.stop()
      await fake.close()
      await database.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
