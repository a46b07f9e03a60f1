import { escapeIdentifier, type PoolClient } from 'pg'
import { fetchRows } from '../run/fetch.ts'
import type { Effect } from '../evidence/evidence.ts'
import { SqlError } from '../run/faults.ts'
import type { Outside } from '../run/outside.ts'

/** The rows of one table before and after a change, each as the text of a JSON object. */
export interface Images {
  schema: string
  table: string
  operation: 'INSERT' | 'UPDATE' | 'DELETE'
  rows: { old: string | null; new: string | null }[]
}

/** Why a change cannot be undone, as a sentence. */
export interface NotKept {
  reason: string
}

/** A change of more rows, or of larger ones together, runs but cannot be undone. */
const maxRows = 10_000
const maxBytes = 4 * 1024 * 1024
const tooLarge: NotKept = { reason: 'It changed more than 10,000 rows or 4 MiB.' }

/**
 * Where the changed rows lie; null: too many. Undefined: the statement cannot say, and has not run: it has RETURNING
 * itself, changes a view, or names several tables (before PostgreSQL 18).
 */
export async function runKeepingPlaces(
  client: PoolClient,
  sql: string,
  params: readonly unknown[],
): Promise<{ rowsAffected: number | null; places: string[] | null } | undefined> {
  await client.query('savepoint keeping')
  try {
    const text = `${sql.replace(/(?<![;\s])[;\s]+$/, '')}\nreturning ${await returningOf(client)}`
    const { rows, truncated, rowsAffected } = await fetchRows(client, text, params, {
      maxRows,
      access: 'write',
    })
    await client.query('release savepoint keeping')
    return { rowsAffected, places: truncated ? null : rows.map(([place]) => String(place)) }
  } catch (error) {
    if (!cannotReturn.has((error as { code?: string }).code ?? '')) throw error
    await client.query('rollback to savepoint keeping')
    return undefined
  }
}

/** A syntax error, an ambiguous or unknown column: of our addition, or of the statement, which then fails again. */
const cannotReturn = new Set(['42601', '42702', '42703', '0A000'])

async function returningOf(client: PoolClient): Promise<string> {
  const { rows } = await client.query<{ version: string }>(
    `select current_setting('server_version_num') as version`,
  )
  if (Number(rows[0]?.version) < 180_000) return 'ctid::text'
  return 'with (old as signalbox_old, new as signalbox_new) coalesce(signalbox_new.ctid, signalbox_old.ctid)::text'
}

/** Rows that can be restored: all changes were in one table, none by a cascade or a trigger. */
export async function imagesOf(
  inside: PoolClient,
  outside: Outside,
  places: readonly string[] | null,
  effect: Effect,
): Promise<Images | NotKept> {
  if (places === null) return tooLarge
  const change = onlyChange(effect, places.length)
  if ('reason' in change) return change
  const { schema, name, operation } = change
  const table = `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`
  const key = await keyOf(inside, table)
  if (key.length === 0) return { reason: `The table ${table} has no primary key.` }
  try {
    const rows = await pairs(inside, outside, { table, key, operation, places })
    if (rows === undefined) return tooLarge
    if (rows.length !== places.length)
      return {
        reason: 'Rows as they were could not be read: it changed primary keys, or row security hides them.',
      }
    return { schema, table: name, operation, rows }
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
    return { reason: `The rows as they were could not be read: ${error.message}` }
  }
}

function onlyChange(
  { tables, created, dropped, altered }: Effect,
  count: number,
): { schema: string; name: string; operation: Images['operation'] } | NotKept {
  const [table, ...others] = tables
  if (!table) return { reason: 'It changed no rows.' }
  const { schema, name, inserted, updated, deleted } = table
  const isOneKind = [inserted, updated, deleted].filter((each) => each > 0).length === 1
  const isAlone = others.length + created.length + dropped.length + altered.length === 0
  if (!isAlone || !isOneKind || inserted + updated + deleted !== count)
    return {
      reason: 'It changed more than the rows that it names, by a cascade, a trigger or several steps.',
    }
  const operation = inserted > 0 ? 'INSERT' : updated > 0 ? 'UPDATE' : 'DELETE'
  return { schema, name, operation }
}

async function keyOf(client: PoolClient, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select a.attname as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
     where i.indrelid = to_regclass($1) and i.indisprimary order by a.attnum`,
    [table],
  )
  return rows.map(({ name }) => escapeIdentifier(name))
}

interface Changed {
  table: string
  key: readonly string[]
  operation: Images['operation']
  places: readonly string[]
}

/** Undefined: too large. The rows are locked by the change, so others see them exactly as it found them. */
async function pairs(
  inside: PoolClient,
  outside: Outside,
  { table, key, operation, places }: Changed,
): Promise<Images['rows'] | undefined> {
  const keyText = `jsonb_build_array(${key.map((name) => `t.${name}`).join(', ')})::text`
  const atPlaces = `select to_jsonb(t.*)::text, ${keyText} from only ${table} t where t.ctid = any ($1::tid[])`
  if (operation === 'DELETE') {
    const gone = await outside((client) => read(client, atPlaces, [places]))
    return gone && fitting(gone.map(([row = '']) => ({ old: row, new: null })))
  }
  const now = await read(inside, atPlaces, [places])
  if (now === undefined) return undefined
  if (operation === 'INSERT') return fitting(now.map(([row = '']) => ({ old: null, new: row })))
  const byKey = `select to_jsonb(t.*)::text, ${keyText} from jsonb_populate_recordset(null::${table}, $1::jsonb) n
    join only ${table} t on ${key.map((name) => `t.${name} = n.${name}`).join(' and ')}`
  const was = await outside((client) => read(client, byKey, [`[${now.map(([row]) => row).join(',')}]`]))
  if (was === undefined) return undefined
  const old = new Map(was.map(([row = '', id = '']) => [id, row]))
  return fitting(
    now.flatMap(([row = '', id = '']) => {
      const before = old.get(id)
      return before === undefined ? [] : [{ old: before, new: row }]
    }),
  )
}

async function read(client: PoolClient, sql: string, params: unknown[]): Promise<string[][] | undefined> {
  const { rows, truncated } = await fetchRows(client, sql, params, { maxRows, access: 'read' })
  return truncated ? undefined : rows.map((row) => row.map(String))
}

function fitting(rows: Images['rows']): Images['rows'] | undefined {
  const bytes = rows.reduce((sum, row) => sum + (row.old ?? '').length + (row.new ?? '').length, 0)
  return bytes <= maxBytes ? rows : undefined
}
