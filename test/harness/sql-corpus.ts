import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { administer, testServer } from './database.ts'

const folder = join(import.meta.dirname, '../fixtures/sql')

/** A hostile or odd statement, with what it is and whether a read-only policy may let it through. */
export interface CorpusStatement {
  id: string
  sql: string
  /** Null: it must not parse. */
  operations: string[] | null
  /** Functions that a reviewer would want to see; harmless ones are left out. */
  functions: string[]
  readOnlyPolicy: 'allow' | 'deny'
}

export const corpus = JSON.parse(readFileSync(join(folder, 'corpus.json'), 'utf8')) as CorpusStatement[]

export interface CorpusDatabase {
  name: string
  /** A superuser. */
  administrator: pg.Client
  /** The weak role that agents have. */
  agent: pg.Client
  close(): Promise<void>
}

/** The script that makes the tables, views and traps that the corpus speaks of, with roles of its own. */
export function corpusScript(roles: { reader: string; writer: string; owner: string }): string {
  return readFileSync(join(folder, 'corpus-setup.sql'), 'utf8')
    .replaceAll('agent_ro', roles.reader)
    .replaceAll('agent_rw', roles.writer)
    .replaceAll('app_owner', roles.owner)
}

/** All of that in a database of its own. */
export async function createCorpusDatabase(): Promise<CorpusDatabase> {
  const suffix = randomUUID().replaceAll('-', '')
  const name = `base_${suffix}`
  const roles = { reader: `reader_${suffix}`, writer: `writer_${suffix}`, owner: `owner_${suffix}` }
  await administer(`create database ${name} template template0`)
  const administrator = await connect(name)
  await administrator.query(corpusScript(roles))
  await administrator.query(`alter role ${roles.reader} password '${suffix}'`)
  const agent = await connect(name, { user: roles.reader, password: suffix })
  return {
    name,
    administrator,
    agent,
    async close() {
      await agent.end()
      await administrator.end()
      await administer(`drop database ${name} with (force)`)
      await administer(`drop role ${Object.values(roles).join(', ')}`)
    },
  }
}

async function connect(database: string, as: { user?: string; password?: string } = {}): Promise<pg.Client> {
  const client = new pg.Client({ ...testServer(), database, ...as })
  await client.connect()
  return client
}
