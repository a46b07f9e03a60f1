import { escapeIdentifier, escapeLiteral } from 'pg'
import { Fault, faults } from '#kernel/errors'
import type { Effect } from '../evidence/evidence.ts'
import type { Images } from './images.ts'

/** Asks the database as the reader. */
export type Ask = (sql: string, values: unknown[]) => Promise<Record<string, unknown>[]>

export interface UndoStatement {
  sql: string
  params: [string]
  /** Every row, and nothing else: one that was changed since is missing, and nothing is undone. */
  expect: Effect
}

interface Columns {
  /** Those that were kept, without generated ones, which PostgreSQL calculates itself. */
  stored: string[]
  key: string[]
  /** Added since: they keep their values, and are not compared. */
  added: string[]
}

/** The statement that restores the rows; it goes through the policy like any other. */
export async function undoStatement(ask: Ask, images: Images): Promise<UndoStatement> {
  const table = `${escapeIdentifier(images.schema)}.${escapeIdentifier(images.table)}`
  const columns = await columnsOf(ask, table, keptColumns(images))
  if (columns.key.length === 0)
    throw new Fault(
      faults.conflict,
      `The table ${table} has no primary key, so its rows cannot be told apart.`,
    )
  const count = images.rows.length
  const effects = { INSERT: { deleted: count }, UPDATE: { updated: count }, DELETE: { inserted: count } }
  const none = { schema: images.schema, name: images.table, inserted: 0, updated: 0, deleted: 0 }
  return {
    sql: makers[images.operation](table, columns),
    params: [parameter(images)],
    expect: { tables: [{ ...none, ...effects[images.operation] }], created: [], dropped: [], altered: [] },
  }
}

const makers = { INSERT: deleteAgain, UPDATE: changeBack, DELETE: insertAgain }

const listed = (names: string[]): string => names.map((name) => escapeIdentifier(name)).join(', ')

function insertAgain(table: string, { stored }: Columns): string {
  return `INSERT INTO ${table} (${listed(stored)}) OVERRIDING SYSTEM VALUE
SELECT ${listed(stored)} FROM jsonb_populate_recordset(null::${table}, $1::jsonb)`
}

function deleteAgain(table: string, columns: Columns): string {
  return `DELETE FROM ${table} AS t USING jsonb_array_elements($1::jsonb) AS image (new),
  LATERAL jsonb_populate_record(null::${table}, image.new) AS now
WHERE ${isUnchanged(columns)}`
}

function changeBack(table: string, columns: Columns): string {
  const set = columns.stored
    .filter((name) => !columns.key.includes(name))
    .map((name) => `${escapeIdentifier(name)} = was.${escapeIdentifier(name)}`)
  return `UPDATE ${table} AS t SET ${set.join(', ')}
FROM jsonb_to_recordset($1::jsonb) AS image (old jsonb, new jsonb),
  LATERAL jsonb_populate_record(null::${table}, image.old) AS was,
  LATERAL jsonb_populate_record(null::${table}, image.new) AS now
WHERE ${isUnchanged(columns)}`
}

/** Only rows that are still exactly what the change made of them. */
function isUnchanged({ key, added }: Columns): string {
  const same = key.map((name) => `now.${escapeIdentifier(name)} = t.${escapeIdentifier(name)}`)
  const without = added.map((name) => ` - ${escapeLiteral(name)}::text`).join('')
  return `${same.join(' AND ')} AND to_jsonb(t.*)${without} = image.new`
}

function parameter({ rows, operation }: Images): string {
  if (operation === 'DELETE') return `[${rows.map((row) => row.old).join(',')}]`
  if (operation === 'INSERT') return `[${rows.map((row) => row.new).join(',')}]`
  return `[${rows.map((row) => `{"old":${row.old},"new":${row.new}}`).join(',')}]`
}

function keptColumns({ rows: [first] }: Images): string[] {
  return Object.keys(JSON.parse(first?.old ?? first?.new ?? '{}') as object)
}

async function columnsOf(ask: Ask, table: string, kept: readonly string[]): Promise<Columns> {
  const rows = await ask(
    `select a.attname as name, a.attgenerated <> '' as generated,
       exists (select from pg_index i where i.indrelid = a.attrelid and i.indisprimary and a.attnum = any(i.indkey)) as key
     from pg_attribute a where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped order by a.attnum`,
    [table],
  )
  if (rows.length === 0) throw new Fault(faults.conflict, `The table ${table} is no longer there.`)
  const names = (list: typeof rows): string[] => list.map(({ name }) => String(name))
  const all = names(rows)
  const gone = kept.filter((name) => !all.includes(name))
  if (gone.length > 0)
    throw new Fault(
      faults.conflict,
      `Columns of ${table} were removed or renamed since: ${gone.join(', ')}. Nothing was undone.`,
    )
  return {
    stored: names(rows.filter(({ generated }) => generated !== true)).filter((name) => kept.includes(name)),
    key: names(rows.filter(({ key }) => key === true)),
    added: all.filter((name) => !kept.includes(name)),
  }
}
