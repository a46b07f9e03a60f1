import { z } from 'zod'
import { schemaLimits, type SchemaRelation } from '../contract.ts'
import type { Query } from '../policy/fact-rows.ts'
import { columnQuery, indexQuery, keyQuery, relationQuery } from './schema-queries.ts'

/** The structure of a database as its reader sees it. */
export interface FoundSchema {
  relations: SchemaRelation[]
  truncated: boolean
  readAt: Date
}

const oid = z.string()
const relationRow = z.object({
  oid,
  schema: z.string(),
  name: z.string(),
  kind: z.enum(['table', 'view', 'materialized_view', 'foreign_table']),
  rows_estimate: z.number().nullable(),
  bytes: z.number().nullable(),
})
const columnRow = z.object({ oid, name: z.string(), type: z.string(), is_nullable: z.boolean() })
const keyRow = z.object({
  oid,
  name: z.string(),
  kind: z.enum(['primary', 'unique', 'foreign']),
  columns: z.array(z.string()),
  to_schema: z.string().nullable(),
  to_name: z.string().nullable(),
  to_columns: z.array(z.string()),
})
const indexRow = z.object({ oid, name: z.string(), is_unique: z.boolean(), definition: z.string() })

/** One row more than is kept shows that there are more. */
export async function readSchema(query: Query): Promise<FoundSchema> {
  const readAt = new Date()
  const found = cut(
    z.array(relationRow).parse(await query(relationQuery, [schemaLimits.relations + 1])),
    'relations',
  )
  const oids = found.rows.map((row) => row.oid)
  const ask = async <Row extends { oid: string }>(
    row: z.ZodType<Row>,
    sql: string,
    what: keyof typeof schemaLimits,
  ) => {
    const { rows, isCut } = cut(z.array(row).parse(await query(sql, [oids, schemaLimits[what] + 1])), what)
    return { byOid: Map.groupBy(rows, (each) => each.oid), isCut }
  }
  const columns = await ask(columnRow, columnQuery, 'columns')
  const keys = await ask(keyRow, keyQuery, 'keys')
  const indexes = await ask(indexRow, indexQuery, 'indexes')
  const relations = found.rows.map(({ oid: id, ...relation }) => ({
    ...relation,
    columns: (columns.byOid.get(id) ?? []).map(({ oid: _oid, ...column }) => column),
    keys: (keys.byOid.get(id) ?? []).map(keyOf),
    indexes: (indexes.byOid.get(id) ?? []).map(indexOf),
  }))
  return { relations, truncated: [found, columns, keys, indexes].some(({ isCut }) => isCut), readAt }
}

function cut<Row>(rows: Row[], what: keyof typeof schemaLimits): { rows: Row[]; isCut: boolean } {
  const limit = schemaLimits[what]
  return { rows: rows.slice(0, limit), isCut: rows.length > limit }
}

function keyOf({ name, kind, columns, ...to }: z.infer<typeof keyRow>): SchemaRelation['keys'][number] {
  const { to_schema: schema, to_name: target, to_columns: targetColumns } = to
  const references =
    schema === null || target === null ? null : { schema, name: target, columns: targetColumns }
  return { name, kind, columns, references }
}

/** `CREATE INDEX name ON table USING btree (id)`: what comes last says something new. */
function indexOf({ name, is_unique, definition }: z.infer<typeof indexRow>) {
  const [, ...rest] = definition.split(' USING ')
  return { name, is_unique, definition: rest.join(' USING ') || definition }
}
