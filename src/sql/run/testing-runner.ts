import { after } from 'node:test'
import pg from 'pg'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { administer, testServer } from '#test/database'
import { startVault } from '#test/vault'
import { placesOf, type Place } from '../database/places.ts'
import { setUp } from '../database/ready.ts'
import { createRunner, readyDeps } from './create-runner.ts'
import type { Call, Runner } from './runner.ts'

export interface TestRunner {
  runner: Runner
  groupId: string
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
  const deps = {
    config: server.config,
    database,
    log,
    secrets: server.vault.secrets,
    firstGroup: async () => server.groupId,
  }
  const runner = createRunner(deps)
  const platform = (server.target as { database: string }).database
  after(async () => {
    await runner.close()
    await database.close()
    for (const name of ['calendar', 'application'])
      await administer(`drop database if exists "${platform}_${name}" with (force)`)
  })
  const callOf = (sql: string, more: Partial<Call>): Call => ({
    database: 'application',
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
    groupId: server.groupId,
    setUp: (name) => setUp(readyDeps(deps), placesOf(server.config, server.target).get(name) as Place),
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
