import { after } from 'node:test'
import pg from 'pg'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { administer, testServer } from '#test/database'
import { startVault } from '#test/vault'
import { offerDatabases } from '../database/offer.ts'
import type { Place } from '../database/places.ts'
import { setUp } from '../database/set-up.ts'
import { createRunner } from './create-runner.ts'
import type { Call, Runner } from './runner.ts'

export interface TestRunner {
  runner: Runner
  groupId: string
  listed: () => Promise<Place[]>
  /** What `signalbox sql setup NAME` does. */
  setUp: (name: string) => Promise<void>
  /** Runs a statement with the defaults of a call. */
  run: (sql: string, more?: Partial<Call>) => ReturnType<Runner['run']>
  preview: (sql: string, more?: Partial<Call>) => ReturnType<Runner['preview']>
  /** Asks a database as its superuser. */
  admin: <Row extends pg.QueryResultRow>(sql: string, database?: string) => Promise<Row[]>
}

/** The runner on databases of its own; calls go to `application`. */
export async function startRunner(environment: Record<string, string> = {}): Promise<TestRunner> {
  const server = await startVault(environment)
  const log = await createLog({ level: 'silent', form: 'json' })
  const database = openDatabase(server.target, log)
  const { config, groupId } = server
  const { secrets } = server.vault
  const { places, ready } = offerDatabases({ config, database, secrets, firstGroup: async () => groupId })
  const runner = createRunner({ config, log, places, ready })
  const platform = (server.target as { database: string }).database
  after(async () => {
    await runner.close()
    await database.close()
    for (const name of ['calendar', 'application'])
      await administer(`drop database if exists "${platform}_${name}" with (force)`)
  })
  const callOf = (sql: string, more: Partial<Call>): Call => ({
    groupId,
    database: 'application',
    owner: 'a test',
    sql,
    params: [],
    access: 'write',
    maxRows: 1_000,
    writesInside: [],
    signal: new AbortController().signal,
    ...more,
  })
  return {
    runner,
    groupId,
    setUp: async (name) => {
      const place = (await places.find(groupId, name)) as Place
      await setUp(ready, place, { schemas: place.schemas })
    },
    listed: () => places.list(groupId),
    run: (sql, more = {}) => runner.run(callOf(sql, more)),
    preview: (sql, more = {}) => runner.preview(callOf(sql, more)),
    async admin(sql, name = 'application') {
      const client = new pg.Client({
        ...testServer(),
        database: name === 'status' ? platform : `${platform}_${name}`,
      })
      await client.connect()
      try {
        return (await client.query(sql)).rows
      } finally {
        await client.end()
      }
    },
  }
}
