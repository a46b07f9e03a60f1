import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import pg from 'pg'
import type { Target } from '#kernel/db'

type EmbeddedTarget = Extract<Target, { kind: 'embedded' }>

export function testServer(): EmbeddedTarget['address'] {
  const text = process.env['SIGNALBOX_TEST_SERVER']
  if (!text) throw new Error('Run tests with npm test, or: npm run test:only -- FILE')
  return JSON.parse(text) as EmbeddedTarget['address']
}

/** A fresh, migrated database; dropped when the file's tests are over. */
export async function createTestDatabase(template = 'template_signalbox'): Promise<EmbeddedTarget> {
  const database = `test_${randomUUID().replaceAll('-', '')}`
  // By default every page would go through the write-ahead log, which takes several times as long.
  await administer(`create database ${database} template ${template} strategy file_copy`)
  after(() => administer(`drop database if exists ${database} with (force)`))
  return { kind: 'embedded', address: testServer(), database }
}

/** The name of a server's database. */
export function databaseOf({ target }: { target: Target }): string {
  if (target.kind !== 'embedded') throw new Error('Tests run on the embedded server')
  return target.database
}

/** Returns how many rows the statement gave or changed. */
export async function administer(statement: string, database = 'postgres'): Promise<number> {
  const client = new pg.Client({ ...testServer(), database })
  await client.connect()
  try {
    const { rowCount } = await client.query(statement)
    return rowCount ?? 0
  } finally {
    await client.end()
  }
}

/** Readers and writers of the table wait until it is released, as behind a slow disk. */
export async function lockTable(table: string, server: { target: Target }) {
  const client = new pg.Client({ ...testServer(), database: databaseOf(server) })
  await client.connect()
  await client.query(`begin; lock table ${table} in access exclusive mode`)
  return {
    /** How many statements wait. */
    async waiting(): Promise<number> {
      const { rows } = await client.query<{ count: number }>(
        'select count(*)::int as count from pg_locks where relation = $1::regclass and not granted',
        [table],
      )
      return rows[0]?.count ?? 0
    },
    async release(): Promise<void> {
      await client.query('commit')
      await client.end()
    },
  }
}
