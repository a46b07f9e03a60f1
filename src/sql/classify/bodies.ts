import type { Context } from './context.ts'
import { locateBytes } from './locate.ts'
import { definitionsOf, isNode, listOf, textOf, unwrap, type Node } from './node.ts'
import { visit, visitRun } from './walk.ts'

/** Functions that define functions that define functions: beyond this nobody reads along. */
const maxDepth = 4

export function readDoBody(body: Node, context: Context): void {
  const definitions = definitionsOf(body['args'])
  const code = textOf(definitions.find(({ name }) => name === 'as')?.arg)
  readBody(code, languageOf(definitions) ?? 'plpgsql', context)
}

export function readFunctionBody(body: Node, context: Context): void {
  const definitions = definitionsOf(body['options'])
  noteSettings(definitions, context)
  const as = unwrap(definitions.find(({ name }) => name === 'as')?.arg)
  // A body between BEGIN ATOMIC and END is part of the tree.
  if (as === undefined) return
  const code = textOf(listOf(as.body['items'])[0])
  readBody(code, languageOf(definitions) ?? 'sql', context)
}

/** Code that runs under settings of its own may be read in another way than here, and find other tables. */
export function noteSettings(definitions: ReturnType<typeof definitionsOf>, context: Context): void {
  if (definitions.some(({ name }) => name === 'set'))
    context.collector.add('dynamic', { name: 'SET of a function', position: context.anchor })
}

function languageOf(definitions: ReturnType<typeof definitionsOf>): string | undefined {
  return textOf(definitions.find(({ name }) => name === 'language')?.arg)?.toLowerCase()
}

function readBody(code = '', language: string, context: Context): void {
  const at = context.text.indexOf(code, context.anchor)
  const anchor = at === -1 ? context.anchor : at
  const inside = {
    ...context,
    anchor,
    inner: true,
    isPlanned: false,
    mode: 'read',
    depth: context.depth + 1,
  } as const
  if (inside.depth > maxDepth) unreadable(inside, 'nested bodies')
  else if (language === 'sql') readSql(code, inside)
  else if (language === 'plpgsql') readPlPgSql(inside)
  else unreadable(inside, `language ${language}`)
}

function unreadable(context: Context, name: string): void {
  context.collector.add('dynamic', { name, position: context.anchor })
}

/** Statements in a text of their own, whose positions are found again in the whole text where possible. */
function readSql(code: string, context: Context): void {
  for (const statement of parse(code, context)) visitRun(statement['stmt'], within(code, code, context))
}

/** An expression is no operation, but may call functions and hold sub-selects. */
function readExpression(code: string, context: Context): void {
  // As a list of expressions both sides of an assignment are read, for `list[f()] := g()` calls two functions.
  const sql = `SELECT ${code.replace(':=', ', ')}`
  for (const statement of parse(sql, context)) visit(statement['stmt'], within(code, sql, context))
}

function parse(sql: string, context: Context): Node[] {
  try {
    return context.grammar.parse(sql)
  } catch (error) {
    if (!isSyntaxError(error)) throw error
    unreadable(context, 'text that does not parse')
    return []
  }
}

function within(code: string, sql: string, context: Context): Context {
  const at = context.text.indexOf(code, context.anchor)
  if (at === -1) return { ...context, locate: () => null, statement: sql }
  return { ...context, locate: locateBytes(sql, at - (sql.length - code.length)), anchor: at, statement: sql }
}

function isSyntaxError(error: unknown): boolean {
  return error instanceof Error && error.name === 'SqlError'
}

function readPlPgSql(context: Context): void {
  let tree: unknown
  try {
    tree = context.grammar.parsePlPgSql(context.statement)
  } catch (error) {
    // The reader knows nothing of the database, and refuses types such as `users.id%TYPE`.
    // Any other kind of error is a parser that broke.
    if (!(error instanceof Error) || error.name !== 'Error') throw error
    unreadable(context, 'body that cannot be read')
    return
  }
  visitPlPgSql(tree, context)
}

const dynamic = new Set(['PLpgSQL_stmt_dynexecute', 'PLpgSQL_stmt_dynfors', 'dynquery'])
const transactionEnds: Record<string, string> = {
  PLpgSQL_stmt_commit: 'COMMIT',
  PLpgSQL_stmt_rollback: 'ROLLBACK',
}

function visitPlPgSql(value: unknown, context: Context): void {
  if (Array.isArray(value)) for (const item of value) visitPlPgSql(item, context)
  if (!isNode(value)) return
  for (const key in value) {
    const child = value[key]
    if (dynamic.has(key)) unreadable(context, 'EXECUTE')
    const end = transactionEnds[key]
    if (end !== undefined)
      context.collector.add('operations', {
        name: end,
        position: context.anchor,
        inner: true,
        hasWhere: false,
      })
    if (key === 'PLpgSQL_expr' && isNode(child)) readCode(child, context)
    else visitPlPgSql(child, context)
  }
}

/** Mode 0 is a statement, in PostgreSQL's RawParseMode; the others are expressions and assignments. */
function readCode({ query, parseMode }: Node, context: Context): void {
  if (typeof query !== 'string') return
  if ((parseMode ?? 0) === 0) readSql(query, context)
  else readExpression(query, context)
}
