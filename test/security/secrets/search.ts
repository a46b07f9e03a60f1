import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { formsOf } from './planted.ts'

/** Somewhere a secret could be. */
export interface Place {
  name: string
  content: Buffer
}

/** Which secrets are in which places. */
export function findSecrets(secrets: Readonly<Record<string, string>>, places: readonly Place[]): string[] {
  const forms = Object.entries(secrets).map(([name, secret]) => ({ name, forms: formsOf(secret) }))
  return places.flatMap(({ name: place, content }) =>
    forms
      .filter((secret) => secret.forms.some((form) => content.includes(form)))
      .map((secret) => `${secret.name} in ${place}`),
  )
}

/** Every file under the data directory: heap files, write-ahead log, journal, key files. */
export function filesIn(dataDir: string): Place[] {
  return readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => statSync(path).size > 0)
    .map((path) => ({ name: `file ${relative(dataDir, path)}`, content: readFileSync(path) }))
}

/** Every row of every table as text, because long values are compressed in the files. */
export async function tablesOf(dataDir: string): Promise<Place[]> {
  const address = JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8')) as pg.ClientConfig
  const client = new pg.Client({ ...address, database: 'status' })
  await client.connect()
  try {
    await client.query('checkpoint')
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    const places: Place[] = []
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`)
      places.push({ name: `table ${name}`, content: Buffer.from(rows.map(({ row }) => row).join('\n')) })
    }
    return places
  } finally {
    await client.end()
  }
}

export const backupIn = (file: string): Place => ({
  name: 'backup',
  content: gunzipSync(readFileSync(file)),
})
