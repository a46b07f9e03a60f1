import { noteSettings, readDoBody, readFunctionBody } from './bodies.ts'
import { positionOfWord, type Context } from './context.ts'
import { definitionsOf, isNode, listOf, namesOf, textOf, unwrap, type Node, type TypedNode } from './node.ts'
import { operationName } from './operation-names.ts'
import { holdsSecret } from './secrets.ts'
import { choosesRows } from './chooses-rows.ts'
import { needsNoTransaction, sessionChange } from './traits.ts'
import { visit, visitFields, visitRun } from './walk.ts'

/**
 * A statement, at the top or inside another. `isRun` says that its rows are what the enclosing statement is
 * about; a sub-select is not, and is no operation of its own.
 */
export function visitStatement({ type, body }: TypedNode, context: Context, isRun: boolean): void {
  const { findings } = context.collector
  if (!parts.has(type) && (type !== 'SelectStmt' || isRun)) noteOperation(type, body, context)
  const change = sessionChange(type, body)
  if (change !== undefined)
    context.collector.add('sessionChanges', { name: change, position: context.anchor })
  if (!queries.has(type)) findings.isQuery = false
  if (type === 'RenameStmt' || type === 'AlterObjectSchemaStmt') findings.isRename = true
  if (needsNoTransaction(type, body)) findings.needsNoTransaction = true
  if (holdsSecret(type, body)) findings.carriesSecret = true
  const read = readers[type]
  if (read === undefined) visitFields(body, { ...context, mode: 'write' })
  else read(body, context)
}

const queries = new Set(['SelectStmt', 'ExplainStmt', 'VariableShowStmt'])

/** Parts of a function's body and of ALTER TABLE, for all their names. */
const parts = new Set(['ReturnStmt', 'ReplicaIdentityStmt'])

function noteOperation(type: string, body: Node, context: Context): void {
  const name = operationName(type, body)
  // An EXPLAIN that only plans runs nothing; a statement that nobody knows is not let through by it.
  if (context.isPlanned && !name.startsWith('UNKNOWN:')) return
  const mayHaveWhere = type === 'UpdateStmt' || type === 'DeleteStmt'
  add(context, name, mayHaveWhere && choosesRows(body['whereClause']))
}

function add(context: Context, name: string, hasWhere: boolean): void {
  const position = positionOfWord(context, name.split(' ', 1)[0] ?? name)
  context.collector.add('operations', { name, position, inner: context.inner, hasWhere })
}

type Reader = (body: Node, context: Context) => void

const readers: Record<string, Reader> = {
  SelectStmt: (body, context) => visitFields(body, { ...context, mode: 'read' }),
  VariableShowStmt: () => {},
  UpdateStmt: visitWrite,
  DeleteStmt: visitWrite,
  InsertStmt: visitInsert,
  MergeStmt: visitMerge,
  CopyStmt: visitCopy,
  ExplainStmt: visitExplain,
  CreateTableAsStmt: visitWithQuery,
  PrepareStmt: visitWithQuery,
  DeclareCursorStmt: visitWithQuery,
  ViewStmt: (body, context) => visitStored(body, 'query', context),
  RuleStmt: (body, context) => visitStored(body, 'actions', context),
  DropStmt: visitDrop,
  // `ALTER FUNCTION … SET` changes what the function runs with, not the session.
  AlterFunctionStmt: (body, context) => {
    noteSettings(definitionsOf(body['actions']), context)
    visitFields(body, context, ['actions'])
  },
  ExecuteStmt: visitOpaque,
  CallStmt: visitOpaque,
  DoStmt: (body, context) => {
    context.collector.findings.isOpaque = true
    readDoBody(body, context)
  },
  CreateFunctionStmt: (body, context) => {
    context.collector.findings.isOpaque = true
    visitFields(body, { ...context, mode: 'write' }, ['sql_body', 'options'])
    visitRun(body['sql_body'], { ...context, mode: 'read', inner: true })
    readFunctionBody(body, context)
  },
}

function visitOpaque(body: Node, context: Context): void {
  context.collector.findings.isOpaque = true
  visitFields(body, { ...context, mode: 'read' })
}

function visitTarget(target: unknown, context: Context): void {
  visit(target, { ...context, mode: context.isPlanned ? 'read' : 'write', ctes: new Set() })
}

function visitWrite(body: Node, context: Context): void {
  visitTarget(body['relation'], context)
  visitFields(body, { ...context, mode: 'read' }, ['relation'])
}

function visitInsert(body: Node, context: Context): void {
  const conflict = body['onConflictClause']
  // Only rows that collide are updated, so they are chosen by a condition.
  if (isNode(conflict) && conflict['action'] === 'ONCONFLICT_UPDATE' && !context.isPlanned)
    add(context, 'UPDATE', true)
  const source = unwrap(body['selectStmt'])?.body
  const isQuery = source !== undefined && source['valuesLists'] === undefined
  if (isQuery && !context.isPlanned) add(context, 'SELECT', false)
  visitWrite(body, context)
}

function visitMerge(body: Node, context: Context): void {
  for (const item of listOf(body['mergeWhenClauses'])) {
    const clause = unwrap(item)?.body ?? {}
    const name = String(clause['commandType']).replace('CMD_', '')
    if (name === 'NOTHING' || context.isPlanned) continue
    const isOfSource = clause['matchKind'] === 'MERGE_WHEN_NOT_MATCHED_BY_SOURCE'
    const isJoined = !isOfSource && choosesRows(body['joinCondition'])
    add(context, name, isJoined || choosesRows(clause['condition']))
  }
  visitWrite(body, context)
}

function visitCopy(body: Node, context: Context): void {
  const mode = body['is_from'] === true ? 'write' : 'read'
  visit(body['relation'], { ...context, mode })
  visitRun(body['query'], { ...context, mode: 'read' })
  visitFields(body, { ...context, mode: 'read' }, ['relation', 'query'])
}

/** EXPLAIN runs the statement if the last of its ANALYZE options is on. */
function visitExplain(body: Node, context: Context): void {
  const isOn = definitionsOf(body['options'])
    .filter(({ name }) => name === 'analyze')
    .at(-1)
  visitRun(body['query'], { ...context, isPlanned: isOn === undefined || isFalse(isOn.arg) })
}

/** As PostgreSQL reads booleans of options: `off`, `FALSE`, 0. Anything odd counts as true. */
function isFalse(arg: unknown): boolean {
  const node = unwrap(arg)
  if (node?.type === 'Integer') return (node.body['ival'] ?? 0) === 0
  if (node?.type === 'Boolean') return node.body['boolval'] !== true
  return ['false', 'off'].includes(textOf(arg)?.toLowerCase() ?? '')
}

function visitWithQuery(body: Node, context: Context): void {
  visitFields(body, { ...context, mode: context.isPlanned ? 'read' : 'write' }, ['query'])
  visitRun(body['query'], { ...context, mode: 'read' })
}

/** The query of a view and the actions of a rule are stored, and run later. */
function visitStored(body: Node, field: 'query' | 'actions', context: Context): void {
  visitFields(body, { ...context, mode: 'write' }, [field])
  visitRun(body[field], { ...context, mode: 'read', inner: true })
}

const relationTypes = ['TABLE', 'VIEW', 'MATVIEW', 'INDEX', 'SEQUENCE', 'FOREIGN_TABLE']

/** DROP names its relations as lists of strings. */
function visitDrop(body: Node, context: Context): void {
  const isRelation = relationTypes.includes(String(body['removeType']).replace('OBJECT_', ''))
  for (const object of listOf(body['objects'])) {
    const names = namesOf(unwrap(object)?.body['items']).toReversed()
    const [name, schema = null, catalog = null] = names
    if (!isRelation || name === undefined) continue
    const position = positionOfWord(context, 'DROP')
    context.collector.add('relations', { name, schema, catalog, mode: 'write', position })
    if (catalog !== null) context.collector.add('crossDatabase', { name: catalog, position })
  }
  visitFields(body, { ...context, mode: 'write' })
}
