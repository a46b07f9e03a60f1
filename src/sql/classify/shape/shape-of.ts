import { isNode, listOf, unwrap, type Node, type TypedNode } from '../node.ts'
import { changedTables, nameOf } from './changed-tables.ts'
import { countColumns } from './count-columns.ts'
import { isIdempotent } from './idempotent.ts'
import {
  checksOf,
  fieldsOf,
  isAggregated,
  isCount,
  nodesIn,
  sourcesOf,
  wholeTable,
  type Queries,
} from './select.ts'
import type { CheckKind, QueryShape, StatementShape } from './shape.ts'

/** What a statement is good for, by its grammar. */
export function shapeOf(statement: unknown, length: number): StatementShape {
  const node = unwrap(statement)
  if (node === undefined) return { changes: [], drops: [], isIdempotent: false, query: null }
  const query = length > longestQuery ? null : queryOf(node)
  return { ...changedTables(node), isIdempotent: isIdempotent(node), query }
}

/** Nobody counts rows by a longer text, and reading it must not take longer than judging it. */
const longestQuery = 65_536

function queryOf(node: TypedNode): QueryShape | null {
  if (node.type === 'SelectStmt') return selectShape(node.body)
  const planned = node.type === 'ExplainStmt' ? unwrap(node.body['query']) : undefined
  if (planned?.type !== 'SelectStmt') return null
  const shape = selectShape(planned.body)
  // A plan shows how rows are found, and has none of them.
  return {
    ...shape,
    checks: [],
    counted: [],
    columns: null,
    rowsAreProblems: false,
    isSample: shape.tables.length > 0,
  }
}

function selectShape(top: Node): QueryShape {
  const nodes = nodesIn(Object.values(top), true)
  const selects = selectsIn(top, nodes)
  const queries: Queries = {
    named: new Map(selects.flatMap(namedIn)),
    checks: new Map(),
    nullable: new Map(),
  }
  const tables = tablesIn(nodes, queries)
  const checks = new Set<CheckKind>(selects.flatMap((select) => [...checksOf(select, queries)]))
  const isPlain = top['op'] === 'SETOP_NONE' && !isAggregated(top)
  return {
    readsCatalog: tables.some(isCatalog),
    tables: tables.filter((name) => !isCatalog(name)),
    checks: [...checks],
    counted: [...new Set(selects.flatMap((select) => countedIn(select, queries)))],
    columns: countColumns(top, queries),
    rowsAreProblems: isPlain && checksOf(top, queries).size > 0,
    isSample: isPlain && checks.size === 0 && top['groupClause'] === undefined && showsRows(top, queries),
  }
}

/** The query itself, those inside it, and the branches of each UNION, which have no wrapper. */
function selectsIn(top: Node, nodes: readonly TypedNode[]): Node[] {
  const found = [top, ...nodes.filter(({ type }) => type === 'SelectStmt').map(({ body }) => body)]
  for (const select of found)
    for (const side of ['larg', 'rarg']) if (isNode(select[side])) found.push(fieldsOf(select[side]))
  return found
}

function namedIn(select: Node): [string, Node][] {
  return listOf(fieldsOf(select['withClause'])['ctes']).map((item) => {
    const cte = unwrap(item)?.body ?? {}
    return [String(cte['ctename']), unwrap(cte['ctequery'])?.body ?? {}]
  })
}

function tablesIn(nodes: readonly TypedNode[], { named }: Queries): string[] {
  const names = nodes.filter(({ type }) => type === 'RangeVar').flatMap(({ body }) => nameOf(body) ?? [])
  return [...new Set(names)].filter((name) => !named.has(name))
}

const isCatalog = (name: string): boolean => /^(information_schema\.|pg_catalog\.|pg_)/.test(name)

function countedIn(select: Node, queries: Queries): string[] {
  const table = wholeTable(select, queries)
  if (table === undefined || isCatalog(table)) return []
  const isTotal = (node: TypedNode): boolean =>
    isCount(node) && node.body['agg_filter'] === undefined && node.body['agg_star'] === true
  return nodesIn(select['targetList']).some(isTotal) ? [table] : []
}

/** Takes rows from a table, itself or through the queries in its FROM. */
function showsRows(top: Node, queries: Queries): boolean {
  const seen = new Set([top])
  for (const select of seen) {
    if (isAggregated(select)) continue
    if (nodesIn(select['fromClause']).some((node) => isTable(node, queries))) return true
    for (const source of sourcesOf(select, queries)) seen.add(source)
  }
  return false
}

function isTable({ type, body }: TypedNode, { named }: Queries): boolean {
  const name = type === 'RangeVar' ? nameOf(body) : undefined
  return name !== undefined && !named.has(name) && !isCatalog(name)
}
