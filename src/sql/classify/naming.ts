import type { FoundName } from './classification.ts'
import { positionOf, type Context } from './context.ts'
import { skipSpace } from './lexer.ts'
import { isNode, listOf, namesOf, unwrap, type Node } from './node.ts'

/** Names of relations and columns at their places, for rules about tables and columns. */

export function noteMention(body: Node, found: FoundName, context: Context): void {
  const alias = isNode(body['alias']) ? body['alias'] : undefined
  const parts = [body['catalogname'], found.schema, found.name].filter((part) => typeof part === 'string')
  context.collector.findings.mentions.push({
    ...found,
    mode: context.mode,
    to: endOfName(context.text, found.position, parts),
    alias: typeof alias?.['aliasname'] === 'string' ? alias['aliasname'] : null,
  })
  // `users AS u (a, b)` gives its columns other names.
  if (Array.isArray(alias?.['colnames'])) some(context, body)
}

/** Columns, in whatever way the grammar names them. */
export function noteColumns(type: string | undefined, body: Node, context: Context): void {
  if (type === 'ColumnRef') noteReference(body, context)
  else if (type === 'A_Indirection')
    for (const part of listOf(body['indirection'])) {
      if (unwrap(part)?.type === 'A_Star') some(context, body)
      for (const name of namesOf([part])) use(context, body, name, null)
    }
  else if (type === 'JoinExpr') {
    for (const name of namesOf(body['usingClause'])) use(context, body, name, null)
    if (body['isNatural'] === true || body['alias'] !== undefined) some(context, body)
  } else if (type === 'ReturningOption')
    context.collector.add('rowNames', { name: String(body['value']), position: context.anchor })
  else if (type === 'AlterTableCmd')
    context.collector.add('alters', { name: String(body['subtype']), position: context.anchor })
  else if (type === undefined) noteConflict(body, context)
}

function noteReference(body: Node, context: Context): void {
  const fields = listOf(body['fields'])
  const names = namesOf(fields)
  if (names.length < fields.length) use(context, body, '*', names.at(-1) ?? null)
  else use(context, body, names.at(-1) ?? '*', names.at(-2) ?? null)
}

/** `ON CONFLICT (email)`, `ON CONFLICT ON CONSTRAINT …`. */
function noteConflict(body: Node, context: Context): void {
  if (Array.isArray(body['indexElems']))
    for (const item of body['indexElems']) {
      const name = unwrap(item)?.body['name']
      if (typeof name === 'string') use(context, body, name, null)
    }
  if (typeof body['conname'] === 'string' && body['contype'] === undefined) some(context, body)
}

const some = (context: Context, body: Node): void => use(context, body, '*', null)

function use(context: Context, body: Node, name: string, of: string | null): void {
  context.collector.add('columns', { name, of, position: positionOf(context, body['location']) })
}

const word = /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y

/** The end of a name of these parts that begins at `at`; null where another name, or none, is written there. */
function endOfName(text: string, at: number, parts: readonly string[]): number | null {
  let index = at
  for (const [number, part] of parts.entries()) {
    if (number > 0) {
      index = skipSpace(text, index)
      if (text[index] !== '.') return null
      index = skipSpace(text, index + 1)
    }
    const end = endOfPart(text, index, part)
    if (end === null) return null
    index = end
  }
  return index
}

function endOfPart(text: string, at: number, part: string): number | null {
  const quoted = `"${part.replaceAll('"', '""')}"`
  if (text.startsWith(quoted, at)) return at + quoted.length
  word.lastIndex = at
  const found = word.exec(text)?.[0]
  return found !== undefined && found.toLowerCase() === part ? at + found.length : null
}

const ofRows = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt', 'ExplainStmt'])
const longestName = 63

/** All names in a definition; constants are none. */
export function wordsOf(statement: unknown): string[] {
  const words = new Set<string>()
  if (!ofRows.has(unwrap(statement)?.type ?? '')) collect(statement, words)
  return [...words]
}

function collect(value: unknown, words: Set<string>): void {
  if (typeof value === 'string' && value.length <= longestName) words.add(value)
  else if (Array.isArray(value)) for (const item of value) collect(item, words)
  else if (isNode(value) && !('A_Const' in value)) for (const key in value) collect(value[key], words)
}
