import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startFakeProvider } from '#fake-provider'
import { startServer, type Server } from './server.ts'
import { startDatabase, type BenchDatabase } from './database.ts'
import { numberIn } from './load.ts'

export interface Scene extends AsyncDisposable {
  database: BenchDatabase
  startServer(workers: number): Promise<Server>
  /** Numbers of the requests that reached the provider so far. */
  seenUpstream: ReadonlySet<number>
  gatherSeen(): void
  /** Waits until this many processes have a journal: one that is copied is deleted, but for that of a running one. */
  drainedTo(count: number): Promise<void>
}

const drainLimitMs = 90_000

/** A database, a provider that responds slowly enough to be interrupted, and a data directory that outlives kills. */
export async function setScene(): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-ledger-'))
  const dataDir = join(folder, 'data')
  const database = await startDatabase(join(folder, 'database'))
  const fake = await startFakeProvider()
  fake.always({}, { repeat: { text: 'word ', times: 12 }, headersAfterMs: 10, chunkEveryMs: 5 })
  const upstream = { ...fake.baseUrls }
  const seen = new Set<number>()
  return {
    database,
    startServer: (workers) => startServer({ dataDir, databaseUrl: database.url, upstream, workers }),
    seenUpstream: seen,
    gatherSeen() {
      for (const { body } of fake.requests) {
        const n = numberIn(body?.toString() ?? '')
        if (n !== undefined) seen.add(n)
      }
      fake.requests.length = 0
    },
    async drainedTo(count) {
      const deadline = Date.now() + drainLimitMs
      while (folders(dataDir) > count && Date.now() < deadline) await wait(50)
    },
    async [Symbol.asyncDispose]() {
      await fake.close()
      await database.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function folders(dataDir: string): number {
  const found = readdirSync(join(dataDir, 'journal'), { withFileTypes: true })
  return found.filter((entry) => entry.isDirectory()).length
}
