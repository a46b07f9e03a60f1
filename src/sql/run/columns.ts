import type { FieldDef, PoolClient } from 'pg'
import type { Column } from './runner.ts'

/** Names and types of a result. Two columns of one name would be one field of a row: the second is numbered. */
export async function columnsOf(client: PoolClient, fields: readonly FieldDef[]): Promise<Column[]> {
  const types = await typeNames(client, fields)
  const taken = new Set<string>()
  return fields.map(({ name }, at) => {
    let unique = name
    for (let number = 2; taken.has(unique); number++) unique = `${name}_${number}`
    taken.add(unique)
    return { name: unique, type: types[at] ?? 'unknown' }
  })
}

async function typeNames(client: PoolClient, fields: readonly FieldDef[]): Promise<string[]> {
  if (fields.length === 0) return []
  const { rows } = await client.query<{ type: string }>(
    `select pg_catalog.format_type(oid, nullif(modifier, -1)) as type
     from unnest($1::oid[], $2::int[]) with ordinality as field (oid, modifier, position) order by position`,
    [fields.map(({ dataTypeID }) => dataTypeID), fields.map(({ dataTypeModifier }) => dataTypeModifier)],
  )
  return rows.map(({ type }) => type)
}
