import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createTestDatabase, testServer } from '#test/database'
import { declaredTables, type DeclaredColumn, type Kind } from './declared-tables.ts'
import { notRead } from './not-read.ts'

interface Column {
  table: string
  column: string
  isNullable: boolean
  type: string
}

const { database } = await createTestDatabase()
const client = new pg.Client({ ...testServer(), database })
await client.connect()
const { rows } = await client.query<Column>(`
  select n.nspname || '.' || c.relname as table, a.attname as column, not a.attnotnull as "isNullable",
    case when t.typcategory = 'A' then 'array' when t.typcategory = 'E' then 'text' else t.typname end as type
  from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    join pg_type t on t.oid = a.atttypid
  where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'p') and not c.relispartition`)
await client.end()
const migrated = Map.groupBy(rows, ({ table }) => table)
const declared = declaredTables()

/** As the driver reads them: numbers that may be too long for a number are text. */
const kinds: Record<string, Kind[]> = {
  int2: ['number'],
  int4: ['number'],
  float4: ['number'],
  float8: ['number'],
  bool: ['boolean'],
  timestamptz: ['date'],
  bytea: ['bytes'],
  array: ['array'],
  jsonb: ['json', 'array', 'string', 'number', 'boolean'],
  json: ['json', 'array'],
}

function problemsOf(table: string, columns: ReadonlyMap<string, DeclaredColumn>, found: Column[]): string[] {
  const names = new Set(found.map(({ column }) => column))
  return [
    ...[...columns.keys()]
      .filter((name) => !names.has(name))
      .map((name) => `${table}.${name} does not exist`),
    ...found.flatMap((each) => problemOf(columns.get(each.column), each)),
  ]
}

function problemOf(
  column: DeclaredColumn | undefined,
  { table, column: name, isNullable, type }: Column,
): string[] {
  const what = `${table}.${name}`
  if (!column) return notRead[table]?.includes(name) ? [] : [`${what} is not declared`]
  const fitting = kinds[type] ?? ['string']
  const isFitting = [...column.kinds].every((kind) => kind === 'any' || fitting.includes(kind))
  return [
    ...(isFitting ? [] : [`${what} is ${type}, declared as ${[...column.kinds].join(' | ')}`]),
    ...(column.isNullable === isNullable || (column.kinds.has('any') && !column.isNullable)
      ? []
      : [`${what} ${isNullable ? 'may be null' : 'is never null'}`]),
  ]
}

test('every table that a part declares is as the migrations make it: columns, null and types', () => {
  assert.ok(declared.size > 45, `${declared.size} tables`)
  const problems = [...declared].flatMap(([table, columns]) =>
    migrated.has(table) ? problemsOf(table, columns, migrated.get(table) ?? []) : [`${table} does not exist`],
  )
  assert.deepEqual(problems, [])
})

test('what is declared otherwise is seen', () => {
  const made = { table: 'x.y', isNullable: false, type: 'text' }
  const text = { kinds: new Set<Kind>(['string']), isNullable: false }
  const compare = (column: DeclaredColumn, changed: Partial<Column> = {}): string[] =>
    problemsOf('x.y', new Map([['a', column]]), [{ ...made, column: 'a', ...changed }])
  assert.deepEqual(compare(text), [])
  assert.deepEqual(compare(text, { isNullable: true }), ['x.y.a may be null'])
  assert.deepEqual(compare({ ...text, isNullable: true }), ['x.y.a is never null'])
  assert.deepEqual(compare(text, { type: 'timestamptz' }), ['x.y.a is timestamptz, declared as string'])
  assert.deepEqual(compare(text, { column: 'b' }), ['x.y.a does not exist', 'x.y.b is not declared'])
})
