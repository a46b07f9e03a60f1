import { isNode, listOf, namesOf, unwrap, type Node, type TypedNode } from '../node.ts'

/** Whether running the statement twice does what running it once does. What cannot be told counts as not. */
export function isIdempotent({ type, body }: TypedNode): boolean {
  return rules[type]?.(body) ?? false
}

const always = (): boolean => true
const ifNotExists = (body: Node): boolean => body['if_not_exists'] === true
const orReplace = (body: Node): boolean => body['replace'] === true
const missingOk = (body: Node): boolean => body['missing_ok'] === true

const rules: Record<string, (body: Node) => boolean> = {
  SelectStmt: (body) => body['intoClause'] === undefined,
  ExplainStmt: always,
  VariableShowStmt: always,
  DeleteStmt: always,
  TruncateStmt: always,
  CommentStmt: always,
  GrantStmt: always,
  MergeStmt: always,
  CreateStmt: ifNotExists,
  IndexStmt: ifNotExists,
  CreateSeqStmt: ifNotExists,
  CreateSchemaStmt: ifNotExists,
  CreateExtensionStmt: ifNotExists,
  CreateTableAsStmt: ifNotExists,
  ViewStmt: orReplace,
  RuleStmt: orReplace,
  CreateFunctionStmt: orReplace,
  CreateTrigStmt: orReplace,
  DropStmt: missingOk,
  AlterEnumStmt: (body) => body['skipIfNewValExists'] === true,
  AlterTableStmt: (body) => {
    const commands = listOf(body['cmds']).map((item) => unwrap(item)?.body ?? {})
    return commands.every((command) => isRepeatable(command, commands))
  },
  InsertStmt: (body) => isNode(body['onConflictClause']) || choosesMissingRows(body['selectStmt']),
  UpdateStmt: (body) => listOf(body['targetList']).every(setsWhatItIs),
}

const repeatable = new Set([
  'AT_ColumnDefault',
  'AT_SetNotNull',
  'AT_DropNotNull',
  'AT_SetStatistics',
  'AT_SetStorage',
  'AT_ValidateConstraint',
  'AT_ChangeOwner',
  'AT_SetRelOptions',
  'AT_ResetRelOptions',
  'AT_EnableRowSecurity',
  'AT_DisableRowSecurity',
  'AT_EnableTrig',
  'AT_DisableTrig',
])

/** A constraint may be added again where the same statement drops it first. */
function isRepeatable(command: Node, all: readonly Node[]): boolean {
  const subtype = String(command['subtype'])
  if (repeatable.has(subtype) || missingOk(command)) return true
  const definition = unwrap(command['def'])?.body ?? {}
  // With USING, the conversion would be applied to what it made.
  if (subtype === 'AT_AlterColumnType') return definition['raw_default'] === undefined
  if (subtype !== 'AT_AddConstraint') return false
  return all.some(
    (each) =>
      each['subtype'] === 'AT_DropConstraint' && missingOk(each) && each['name'] === definition['conname'],
  )
}

/** `INSERT … SELECT … WHERE NOT EXISTS (…)`. */
function choosesMissingRows(select: unknown): boolean {
  const where = unwrap(unwrap(select)?.body['whereClause'])
  if (where === undefined) return false
  const conditions = where.body['boolop'] === 'AND_EXPR' ? listOf(where.body['args']).map(unwrap) : [where]
  return conditions.some((each) => {
    if (each?.type !== 'BoolExpr' || each.body['boolop'] !== 'NOT_EXPR') return false
    const [inner] = listOf(each.body['args']).map(unwrap)
    return inner?.type === 'SubLink' && inner.body['subLinkType'] === 'EXISTS_SUBLINK'
  })
}

/** `SET a = a + 1` adds once more each time. */
function setsWhatItIs(item: unknown): boolean {
  const { name, val } = unwrap(item)?.body ?? {}
  return !mentions(val, String(name))
}

function mentions(value: unknown, column: string): boolean {
  if (Array.isArray(value)) return value.some((item) => mentions(item, column))
  if (!isNode(value)) return false
  const node = unwrap(value)
  if (node?.type === 'ColumnRef') return namesOf(node.body['fields']).at(-1) === column
  return Object.values(value).some((field) => mentions(field, column))
}
