import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import { invalidField } from '#kernel/errors'
import { olderThan, placeCursor, readPlace } from '#kernel/paging'
import { endPage, withinPage } from './page-bytes.ts'

export type Db = Kysely<unknown>
export type DbTransaction = Transaction<unknown>

/** A table of records: each row belongs to a group and has an id. */
export interface RecordTable {
  readonly name: string
  readonly columns: readonly string[]
  /** The time by which a list is sorted, newest first. */
  readonly sortBy: string
}

/** A record as it is stored: the times of its JSON shape are dates. */
export type Stored<T> = {
  [K in keyof T]: K extends `${string}_at` | `${string}_since`
    ? null extends T[K]
      ? Date | null
      : Date
    : T[K]
}

/** Columns to set; one that is undefined keeps its value. */
export type Values<Row> = { [K in keyof Row]?: Row[K] | undefined }

export interface RecordRow {
  id: string
  group_id: string
}

export interface Page<Row> {
  rows: Row[]
  nextCursor: string | null
}

const columnsOf = ({ columns }: RecordTable): RawBuilder<unknown> =>
  sql.join(columns.map((column) => sql.ref(column)))

/** Undefined: another row has the same unique fields. */
export async function insertRecord<Row>(
  db: Db,
  table: RecordTable,
  values: Values<Row>,
): Promise<Row | undefined> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  const { rows } = await sql<Row>`
    insert into ${sql.table(table.name)} (${sql.join(given.map(([column]) => sql.ref(column)))})
    values (${sql.join(given.map(([, value]) => value))})
    on conflict do nothing returning ${columnsOf(table)}`
    .execute(db)
    .catch(nameField)
  return rows[0]
}

/** Each limit of the database is named `<table>_<column>_limit`. */
function nameField(error: unknown): never {
  const { constraint = '' } = error as { constraint?: string }
  const [, column] = /^[a-z]+_([a-z_]+)_limit$/.exec(constraint.replace('maintenance_', '')) ?? []
  throw column === undefined ? error : invalidField(column, 'takes more space in the database than allowed')
}

export async function findRecord<Row>(
  db: Db,
  table: RecordTable,
  groupId: string,
  id: string,
): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select ${columnsOf(table)} from ${sql.table(table.name)}
    where group_id = ${groupId} and id = ${id}`.execute(db)
  return rows[0]
}

/** Other changes of the row wait until the transaction ends. */
export async function lockRecord<Row>(
  transaction: DbTransaction,
  table: RecordTable,
  match: RawBuilder<unknown>,
): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select ${columnsOf(table)} from ${sql.table(table.name)} where ${match} for update`.execute(transaction)
  return rows[0]
}

export async function updateRecord<Row>(
  db: Db,
  table: RecordTable,
  id: string,
  change: Values<Row>,
): Promise<Row> {
  const set = Object.entries(change)
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  const { rows } = await sql<Row>`
    update ${sql.table(table.name)} set ${sql.join([...set, sql`updated_at = now()`])}
    where id = ${id} returning ${columnsOf(table)}`
    .execute(db)
    .catch(nameField)
  if (!rows[0]) throw new Error(`${table.name} ${id} was not locked before its change`)
  return rows[0]
}

export async function deleteRecord<Row>(
  db: Db,
  table: RecordTable,
  groupId: string,
  id: string,
): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    delete from ${sql.table(table.name)} where group_id = ${groupId} and id = ${id}
    returning ${columnsOf(table)}`.execute(db)
  return rows[0]
}

/** Newest first. */
export async function listRecords<Row extends RecordRow>(
  db: Db,
  table: RecordTable,
  conditions: readonly (RawBuilder<unknown> | undefined)[],
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<Row>> {
  const [sortBy, id] = [sql.ref(table.sortBy), sql.ref('id')]
  const last = readPlace(cursor)
  const all = [...conditions, last && olderThan(table.sortBy, 'id', last)]
  const order = sql`${sortBy} desc, ${id} desc`
  const newest = sql`
    select ${columnsOf(table)} from ${sql.table(table.name)}
    where ${sql.join(
      all.filter((condition) => condition !== undefined),
      sql` and `,
    )}
    order by ${order} limit ${limit + 1}`
  const { rows } = await sql<Row & { page_goes_on: boolean }>`
    ${withinPage(newest, table.columns, order)}`.execute(db)
  return endPage<Row>(rows, limit, (row) =>
    placeCursor((row as Row & Record<string, Date>)[table.sortBy] as Date, row.id),
  )
}

/** The conditions of a list's `since` and `until`. */
export function within(
  column: string,
  { since, until }: { since?: string | undefined; until?: string | undefined },
): (RawBuilder<unknown> | undefined)[] {
  return [
    since === undefined ? undefined : sql`${sql.ref(column)} >= ${new Date(since)}`,
    until === undefined ? undefined : sql`${sql.ref(column)} < ${new Date(until)}`,
  ]
}

export function equals(column: string, value: unknown): RawBuilder<unknown> | undefined {
  return value === undefined ? undefined : sql`${sql.ref(column)} = ${value}`
}

export function isOneOf(
  column: string,
  values: readonly string[] | undefined,
): RawBuilder<unknown> | undefined {
  return values && sql`${sql.ref(column)} = any(${values})`
}
