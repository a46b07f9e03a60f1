import { z } from 'zod'
import type { Query } from '../policy/fact-rows.ts'
import { columnsQuery, viewColumnsQuery } from './reach-query.ts'
import type { Reached } from './reach.ts'
import { grantOfColumn, isMasked, type Rules } from './rules.ts'

export interface RelationColumn {
  name: string
  type: string
  isText: boolean
  isMasked: boolean
}

/** A relation with masked columns. */
export interface MaskedRelation {
  schema: string
  table: string
  /** All of them, in their order. */
  columns: RelationColumn[]
  /** A column is masked only because another relation's is, by a key or as its partition. */
  isByAnother: boolean
}

export interface MaskFacts {
  /** By the number of the relation; those without a masked column are not in it. */
  relations: ReadonlyMap<string, MaskedRelation>
  /** Views that take something from a masked column, by their number, with the column. */
  views: ReadonlyMap<string, string>
  /** Grants by which a column is not masked. */
  grants: ReadonlySet<string>
}

const columnRow = z.object({
  root: z.string(),
  isOwn: z.boolean(),
  name: z.string(),
  schema: z.string(),
  table: z.string(),
  column: z.string(),
  comment: z.string().nullable(),
  type: z.string(),
  isText: z.boolean(),
})
type ColumnRow = z.infer<typeof columnRow>

/** Which columns of the relations are masked, also because a partition, a parent or a referenced column is. */
export async function maskFacts(query: Query, rules: Rules, reached: readonly Reached[]): Promise<MaskFacts> {
  const oids = [...new Set(reached.map(({ oid }) => oid))]
  const nothing = { relations: new Map(), views: new Map(), grants: new Set<string>() }
  if (rules.masks.length === 0 || oids.length === 0) return nothing
  const rows = z.array(columnRow).parse(await query(columnsQuery, [oids]))
  const grants = new Set<string>()
  const relations = new Map<string, MaskedRelation>()
  for (const [oid, columns] of Map.groupBy(rows, ({ root }) => root)) {
    const relation = relationOf(rules, columns, grants)
    if (relation.columns.some((column) => column.isMasked)) relations.set(oid, relation)
  }
  return { relations, grants, views: await viewsOver(query, reached, relations) }
}

function relationOf(rules: Rules, rows: readonly ColumnRow[], grants: Set<string>): MaskedRelation {
  const own = rows.filter(({ isOwn }) => isOwn)
  const hidden = rows.filter((row) => isMaskedNow(rules, row, grants))
  const masked = new Set(hidden.map(({ name }) => name))
  const byItself = new Set(hidden.filter(({ isOwn }) => isOwn).map(({ name }) => name))
  return {
    schema: own[0]?.schema ?? '',
    table: own[0]?.table ?? '',
    columns: own.map(({ name, type, isText }) => ({ name, type, isText, isMasked: masked.has(name) })),
    isByAnother: byItself.size < masked.size,
  }
}

function isMaskedNow(rules: Rules, column: ColumnRow, grants: Set<string>): boolean {
  if (!isMasked(rules, column)) return false
  const grant = grantOfColumn(rules, column)
  if (grant) grants.add(grant.id)
  return grant === undefined
}

const viewRow = z.object({ view: z.string(), base: z.string(), column: z.string() })

async function viewsOver(
  query: Query,
  reached: readonly Reached[],
  relations: ReadonlyMap<string, MaskedRelation>,
): Promise<Map<string, string>> {
  const views = reached.filter(({ kind }) => kind === 'v' || kind === 'm').map(({ oid }) => oid)
  if (views.length === 0 || relations.size === 0) return new Map()
  const rows = z.array(viewRow).parse(await query(viewColumnsQuery, [views]))
  const found = new Map<string, string>()
  for (const { view, base, column } of rows) {
    const relation = relations.get(base)
    const isTaken = relation?.columns.some(
      (each) => each.isMasked && (column === '*' || each.name === column),
    )
    if (relation && isTaken) found.set(view, `${relation.table}.${column}`)
  }
  return found
}

export const maskedNames = ({ columns }: MaskedRelation): string[] =>
  columns.filter(({ isMasked: masked }) => masked).map(({ name }) => name)
