import { positionOf, positionOfWord, type Context } from './context.ts'
import { isNode, listOf, namesOf, unwrap, type Node } from './node.ts'
import { noteColumns, noteMention } from './naming.ts'
import { takesSecret } from './secrets.ts'

/**
 * Visits everything below a value: wrapped nodes, nodes without a wrapper, lists, lists of lists. Nothing is
 * skipped because its place is unexpected; a call hides in the oddest corner of the grammar.
 */
export function visit(value: unknown, context: Context): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, context)
    return
  }
  if (!isNode(value)) return
  const typed = unwrap(value)
  if (typed === undefined) visitBody(undefined, value, context)
  else if (typed.type.endsWith('Stmt')) context.onStatement(typed, context, false)
  else visitBody(typed.type, typed.body, context)
}

/** Visits a query, or a list of statements, that the enclosing statement runs. */
export function visitRun(value: unknown, context: Context): void {
  const typed = unwrap(value)
  if (typed?.type.endsWith('Stmt')) context.onStatement(typed, context, true)
  else if (typed?.type === 'List') visitRun(typed.body['items'], context)
  else if (Array.isArray(value)) for (const item of value) visitRun(item, context)
  else visit(value, context)
}

function visitBody(type: string | undefined, body: Node, context: Context): void {
  if (type === 'FuncCall' || body['funcformat'] !== undefined) noteFunction(body, context)
  else if (typeof body['relname'] === 'string') noteRelation(body, body['relname'], context)
  else if (type === 'ColumnRef')
    noteAttribute(namesOf(body['fields']), listOf(body['fields']).length, body, context)
  else if (type === 'A_Indirection')
    for (const name of namesOf(body['indirection'])) {
      noteAttribute(['', name], 2, body, context)
      noteFieldCall(name, positionOf(context, body['location']), context)
    }
  else if (type === 'LockingClause') noteLock(body, context)
  else if (Array.isArray(body['names']) && typeof body['typemod'] === 'number') noteType(body, context)
  noteOperators(body, context)
  noteColumns(type, body, context)
  noteValueNames(type, body, context)
  visitFields(body, context)
}

/** The fields of a node, with the names of its WITH visible in the others. */
export function visitFields(body: Node, context: Context, except: readonly string[] = []): void {
  const inside = isNode(body['withClause']) ? visitWith(body['withClause'], context) : context
  for (const key in body) {
    const value = body[key]
    if (typeof value !== 'object' || key === 'withClause' || except.includes(key)) continue
    if (key === 'intoClause') visitInto(value, inside)
    else visit(value, inside)
  }
}

/** Each query of a WITH sees those before it; with RECURSIVE it sees all. */
function visitWith(clause: Node, context: Context): Context {
  const queries = listOf(clause['ctes']).map((item) => unwrap(item)?.body ?? {})
  const all = new Set([...context.ctes, ...queries.map((query) => String(query['ctename']))])
  let visible = clause['recursive'] === true ? all : context.ctes
  for (const query of queries) {
    const anchor = positionOf(context, query['location'])
    visitFields(query, { ...context, anchor, ctes: visible })
    if (visible !== all) visible = new Set([...visible, String(query['ctename'])])
  }
  return { ...context, ctes: all }
}

/** SELECT … INTO creates a table, at whatever depth of a UNION it stands. */
function visitInto(clause: unknown, context: Context): void {
  if (!context.isPlanned)
    context.collector.add('operations', {
      name: 'CREATE TABLE',
      position: positionOfWord(context, 'INTO'),
      inner: context.inner,
      hasWhere: false,
    })
  visit(clause, { ...context, mode: 'write', ctes: new Set() })
}

/** Their arguments say at run time which type reads a text, and so which checks of a domain run. */
const takesTypeName = new Set(
  `pg_input_is_valid pg_input_error_info domain_in domain_recv record_in record_recv array_in array_recv range_in
  range_recv multirange_in multirange_recv`.split(/\s+/),
)

function noteFunction(body: Node, context: Context): void {
  const names = namesOf(body['funcname'])
  const position = positionOf(context, body['location'])
  const [name = '', schema = null, catalog] = names.toReversed()
  context.collector.add('functions', { name, schema, position })
  if (takesTypeName.has(name)) context.collector.add('dynamic', { name, position })
  if (takesSecret(name)) context.collector.findings.carriesSecret = true
  if (catalog !== undefined) context.collector.add('crossDatabase', { name: catalog, position })
}

function noteRelation(body: Node, name: string, context: Context): void {
  const schema = typeof body['schemaname'] === 'string' ? body['schemaname'] : null
  const catalog = typeof body['catalogname'] === 'string' ? body['catalogname'] : null
  if (schema === null && context.mode === 'read' && context.ctes.has(name)) return
  const position = positionOf(context, body['location'])
  context.collector.add('relations', { name, schema, catalog, mode: context.mode, position })
  noteMention(body, { name, schema, position }, context)
  if (catalog !== null) context.collector.add('crossDatabase', { name: catalog, position })
}

function noteAttribute(names: string[], parts: number, body: Node, context: Context): void {
  const name = names.at(-1)
  // `u.*` has a star as its last part, so fewer names than parts.
  if (name === undefined || names.length < parts || parts < 2) return
  context.collector.add('attributes', { name, schema: null, position: positionOf(context, body['location']) })
}

const noteFieldCall = (name: string, position: number, { collector }: Context): void =>
  collector.add('fieldCalls', { name, schema: null, position })

/** `generate_series(1, 3) AS g`: the name stands for the number itself, so `g.f` is a call of `f`. */
function noteValueNames(type: string | undefined, body: Node, context: Context): void {
  if (type === 'FunctionParameter' && typeof body['name'] === 'string') noteValue(body['name'], context)
  if (type !== 'RangeFunction') return
  const alias = isNode(body['alias']) ? body['alias']['aliasname'] : undefined
  if (typeof alias === 'string') noteValue(alias, context)
  else
    for (const list of listOf(body['functions'])) {
      const called = unwrap(listOf(unwrap(list)?.body['items'])[0])
      // Other expressions, such as CAST, get names of their own: any could be it.
      noteValue(called?.type === 'FuncCall' ? (namesOf(called.body['funcname']).at(-1) ?? '*') : '*', context)
    }
}

const noteValue = (name: string, { collector, anchor }: Context): void =>
  collector.add('valueNames', { name, position: anchor })

function noteType(body: Node, context: Context): void {
  const [name, schema = null, catalog] = namesOf(body['names']).toReversed()
  // Definitions only name types; a cast runs the checks of a domain.
  if (name === undefined || context.mode === 'write') return
  const position = positionOf(context, body['location'])
  if (schema !== 'pg_catalog') context.collector.add('types', { name, schema, position })
  if (catalog !== undefined) context.collector.add('crossDatabase', { name: catalog, position })
}

/** Operators are in `A_Expr.name`, `SubLink.operName` and `SortBy.useOp`. */
function noteOperators(body: Node, context: Context): void {
  const list = body['kind'] === undefined ? (body['operName'] ?? body['useOp']) : body['name']
  if (!Array.isArray(list)) return
  const [name, schema = null] = namesOf(list).toReversed()
  if (name === undefined || schema === 'pg_catalog') return
  context.collector.add('operators', { name, schema, position: positionOf(context, body['location']) })
}

const strengths: Record<string, string> = {
  LCS_FORKEYSHARE: 'FOR KEY SHARE',
  LCS_FORSHARE: 'FOR SHARE',
  LCS_FORNOKEYUPDATE: 'FOR NO KEY UPDATE',
  LCS_FORUPDATE: 'FOR UPDATE',
}

function noteLock(body: Node, context: Context): void {
  const name = strengths[String(body['strength'])] ?? 'FOR UPDATE'
  context.collector.add('locks', { name, position: positionOfWord(context, 'FOR') })
}
