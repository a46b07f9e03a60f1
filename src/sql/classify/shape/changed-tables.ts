import { isNode, listOf, namesOf, unwrap, type Node, type TypedNode } from '../node.ts'

/** Tables that a statement creates, changes or drops; views, indexes and functions are none. */
export function changedTables({ type, body }: TypedNode): { changes: string[]; drops: string[] } {
  if (type === 'DropStmt' && body['removeType'] === 'OBJECT_TABLE') {
    const drops = listOf(body['objects']).map((each) => namesOf(unwrap(each)?.body['items']).join('.'))
    return { changes: drops, drops }
  }
  const changes = [...(relations[type]?.(body) ?? []), ...written(body)].flatMap((each) => nameOf(each) ?? [])
  return { changes: [...new Set(changes)], drops: [] }
}

const own = (body: Node): unknown[] => [body['relation']]
const ofTable = (body: Node): unknown[] =>
  (body['relationType'] ?? body['objectType'] ?? body['objtype']) === 'OBJECT_TABLE' ? own(body) : []

const relations: Record<string, (body: Node) => unknown[]> = {
  CreateStmt: own,
  IndexStmt: own,
  InsertStmt: own,
  UpdateStmt: own,
  DeleteStmt: own,
  MergeStmt: own,
  CreateTrigStmt: own,
  CopyStmt: (body) => (body['is_from'] === true ? own(body) : []),
  AlterTableStmt: ofTable,
  AlterObjectSchemaStmt: ofTable,
  RenameStmt: (body) => (body['renameType'] === 'OBJECT_TABLE' ? own(body) : ofTable(body)),
  TruncateStmt: (body) => listOf(body['relations']),
  CreateTableAsStmt: (body) => [intoOf(body['into'])],
  SelectStmt: (body) => [intoOf(body['intoClause'])],
}

const intoOf = (into: unknown): unknown => (isNode(into) ? into['rel'] : undefined)

/** `WITH gone AS (DELETE …)` changes a table although the statement is a query. */
function written(body: Node): unknown[] {
  const clause = isNode(body['withClause']) ? body['withClause'] : {}
  return listOf(clause['ctes']).flatMap((item) => {
    const query = unwrap(unwrap(item)?.body['ctequery'])
    return query === undefined || query.type === 'SelectStmt' ? [] : own(query.body)
  })
}

/** `orders` or `public.orders`, as it is written. */
export function nameOf(value: unknown): string | undefined {
  const relation = unwrap(value)?.body ?? (isNode(value) ? value : {})
  const { relname, schemaname } = relation
  if (typeof relname !== 'string') return undefined
  return typeof schemaname === 'string' ? `${schemaname}.${relname}` : relname
}
