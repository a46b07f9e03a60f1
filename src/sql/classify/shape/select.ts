import { isNode, listOf, namesOf, unwrap, type Node, type TypedNode } from '../node.ts'
import { nameOf } from './changed-tables.ts'
import type { CheckKind } from './shape.ts'

/** The queries of a statement that have a name, and what is known of each query: the same one may be used often. */
export interface Queries {
  named: ReadonlyMap<string, Node>
  checks: Map<Node, ReadonlySet<CheckKind>>
  nullable: Map<Node, ReadonlySet<string>>
}

export const fieldsOf = (value: unknown): Node => unwrap(value)?.body ?? (isNode(value) ? value : {})

/** Several questions are asked about the same lists, which may be long. */
const known = new WeakMap<object, readonly TypedNode[]>()

/** Every node below a value. A query inside it is among them, and entered where `enters` says so. */
export function nodesIn(value: unknown, enters = false): readonly TypedNode[] {
  if (typeof value !== 'object' || value === null) return []
  const found = enters ? undefined : known.get(value)
  if (found) return found
  const nodes: TypedNode[] = []
  collect(value, enters, nodes)
  if (!enters) known.set(value, nodes)
  return nodes
}

function collect(value: object, enters: boolean, into: TypedNode[]): void {
  const node = unwrap(value)
  if (node) into.push(node)
  if (node?.type === 'SelectStmt' && !enters) return
  const fields = Array.isArray(value) ? value : Object.values(node?.body ?? value)
  for (const field of fields as unknown[])
    if (typeof field === 'object' && field !== null) collect(field, enters, into)
}

export const isCount = ({ type, body }: TypedNode): boolean =>
  type === 'FuncCall' && namesOf(body['funcname']).at(-1) === 'count' && body['over'] === undefined

const aggregates = new Set(
  'count sum min max avg bool_and bool_or every array_agg string_agg json_agg jsonb_agg'.split(' '),
)

/** Returns one row for many, without GROUP BY. */
export function isAggregated(select: Node): boolean {
  if (select['groupClause'] !== undefined) return false
  return nodesIn(select['targetList']).some(
    ({ type, body }) =>
      type === 'FuncCall' &&
      body['over'] === undefined &&
      aggregates.has(namesOf(body['funcname']).at(-1) ?? ''),
  )
}

const none: ReadonlySet<CheckKind> = new Set()

/** What the query looks for: by its own conditions, or by those of the queries it takes its rows from. */
export function checksOf(select: Node, queries: Queries): ReadonlySet<CheckKind> {
  const earlier = queries.checks.get(select)
  if (earlier) return earlier
  // A recursive query finds itself.
  queries.checks.set(select, none)
  const counts = nodesIn(select['targetList']).filter(isCount)
  const found = new Set(testedIn([select['whereClause'], select['havingClause']], select, queries))
  for (const { body } of counts)
    for (const kind of testedIn(body['agg_filter'], select, queries)) found.add(kind)
  if (countsGroups(select) || counts.some(({ body }) => body['agg_distinct'] === true)) found.add('duplicate')
  if (comparesPresent(counts)) found.add('null')
  for (const source of sourcesOf(select, queries))
    for (const kind of checksOf(source, queries)) found.add(kind)
  queries.checks.set(select, found)
  return found
}

/** The checks that `IS NULL` in a condition of the query makes. */
export function testedIn(condition: unknown, select: Node, queries: Queries): CheckKind[] {
  return nodesIn(condition)
    .filter(({ type, body }) => type === 'NullTest' && body['nulltesttype'] === 'IS_NULL')
    .map(({ body }) => kindOfTest(body, nullableNames(select, queries)))
}

/** A row that an outer join did not find has nulls in the columns of the other table. */
function kindOfTest({ arg }: Node, nullable: ReadonlySet<string>): CheckKind {
  if (nullable.size === 0) return 'null'
  const names = namesOf(fieldsOf(arg)['fields'])
  return names.length < 2 || nullable.has(names.at(-2) ?? '') ? 'foreign_key' : 'null'
}

function nullableNames(select: Node, { nullable }: Queries): ReadonlySet<string> {
  const earlier = nullable.get(select)
  if (earlier) return earlier
  const joins = nodesIn(select['fromClause']).filter(({ type }) => type === 'JoinExpr')
  const sides = joins.map(({ body }) => body[outerSides[String(body['jointype'])] ?? ''])
  const names = new Set(nodesIn(sides).flatMap(aliasOf))
  nullable.set(select, names)
  return names
}

const outerSides: Record<string, string> = { JOIN_LEFT: 'rarg', JOIN_RIGHT: 'larg' }

function aliasOf({ type, body }: TypedNode): string[] {
  if (type !== 'RangeVar' && type !== 'RangeSubselect') return []
  const { aliasname } = fieldsOf(body['alias'])
  const name = aliasname ?? body['relname']
  return typeof name === 'string' ? [name] : []
}

/** `GROUP BY … HAVING count(*) > 1`. */
function countsGroups(select: Node): boolean {
  return select['groupClause'] !== undefined && nodesIn(select['havingClause']).some(isCount)
}

/** `count(*)` beside `count(a)`. */
function comparesPresent(counts: readonly TypedNode[]): boolean {
  const plain = counts
    .map(({ body }) => body)
    .filter((body) => body['agg_filter'] === undefined && body['agg_distinct'] !== true)
  return plain.some((body) => body['agg_star'] === true) && plain.some(countsColumn)
}

export const countsColumn = (body: Node): boolean =>
  listOf(body['args']).some((each) => unwrap(each)?.type === 'ColumnRef')

/** Queries in FROM, by name or in place, and those that a condition asks. */
export function sourcesOf(select: Node, { named }: Queries): Node[] {
  return nodesIn([select['fromClause'], select['whereClause']]).flatMap(({ type, body }) => {
    if (type === 'SelectStmt') return [body]
    const isName = type === 'RangeVar' && body['schemaname'] === undefined
    const query = isName ? named.get(String(body['relname'])) : undefined
    return query ? [query] : []
  })
}

const partial = ['whereClause', 'havingClause', 'groupClause', 'limitCount', 'limitOffset']

/** The one table from which it takes all rows; undefined where there are more, or a condition. */
export function wholeTable(select: Node, { named }: Queries): string | undefined {
  const from = listOf(select['fromClause'])
  const source = unwrap(from[0])
  if (from.length !== 1 || source?.type !== 'RangeVar') return undefined
  if (partial.some((field) => select[field] !== undefined)) return undefined
  const name = nameOf(source.body)
  return name === undefined || named.has(name) ? undefined : name
}
