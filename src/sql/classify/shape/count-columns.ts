import { listOf, namesOf, unwrap, type Node, type TypedNode } from '../node.ts'
import { checksOf, countsColumn, fieldsOf, isCount, testedIn, wholeTable, type Queries } from './select.ts'
import type { CountColumn } from './shape.ts'

const other: CountColumn = { kind: 'other', table: null }

/** What each column counts; null where the query returns anything but counts and labels. */
export function countColumns(select: Node, queries: Queries): CountColumn[] | null {
  if (select['op'] !== 'SETOP_NONE') return select['all'] === true ? sharedColumns(select, queries) : null
  if (select['groupClause'] !== undefined) return null
  const columns = listOf(select['targetList']).map((item) =>
    columnOf(unwrap(item)?.body['val'], select, queries),
  )
  const known = columns.filter((column) => column !== null)
  return known.length === columns.length && known.some((column) => column !== other) ? known : null
}

/** Rows of a UNION ALL come in any order, so that a column must mean the same in each of its queries. */
function sharedColumns(select: Node, queries: Queries): CountColumn[] | null {
  const left = countColumns(fieldsOf(select['larg']), queries)
  const right = countColumns(fieldsOf(select['rarg']), queries)
  if (left === null || right === null || left.length !== right.length) return null
  return left.map((column, index) => {
    const same = right[index]
    if (same === undefined || same.kind !== column.kind) return other
    return same.table === column.table ? column : { kind: column.kind, table: null }
  })
}

function columnOf(value: unknown, select: Node, queries: Queries): CountColumn | null {
  const node = unwrap(value)
  if (node === undefined) return null
  if (isCount(node)) return countOf(node, select, queries)
  if (node.type === 'A_Const') return other
  if (node.type === 'TypeCast') return columnOf(node.body['arg'], select, queries)
  if (node.type === 'SubLink') return sublinkOf(node, queries)
  return node.type === 'A_Expr' ? calculated(node, select, queries) : null
}

function sublinkOf({ body }: TypedNode, queries: Queries): CountColumn | null {
  if (body['subLinkType'] !== 'EXPR_SUBLINK') return null
  const [column, ...more] = countColumns(fieldsOf(body['subselect']), queries) ?? []
  return column && more.length === 0 ? column : null
}

function countOf({ body }: TypedNode, select: Node, queries: Queries): CountColumn {
  const table = wholeTable(select, queries) ?? null
  if (body['agg_filter'] !== undefined)
    return testedIn(body['agg_filter'], select, queries).length > 0
      ? { kind: 'problem', table }
      : { ...other }
  if (table === null) return checksOf(select, queries).size > 0 ? { kind: 'problem', table } : { ...other }
  if (body['agg_distinct'] === true) return { kind: 'distinct', table }
  return { kind: countsColumn(body) ? 'present' : 'total', table }
}

/** `count(*) - count(DISTINCT a)` is a number of problems; other sums are just numbers. */
function calculated({ body }: TypedNode, select: Node, queries: Queries): CountColumn | null {
  const left = columnOf(body['lexpr'], select, queries)
  const right = columnOf(body['rexpr'], select, queries)
  if (left === null || right === null) return null
  const isDifference = namesOf(body['name']).join('') === '-' && left.kind === 'total'
  return isDifference && (right.kind === 'distinct' || right.kind === 'present')
    ? { kind: 'problem', table: left.table }
    : { ...other }
}
