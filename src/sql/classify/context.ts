import type { Collector } from './findings.ts'
import type { Locate } from './locate.ts'
import type { Node, TypedNode } from './node.ts'

/** PostgreSQL's grammar: text to trees. Both throw where the text is not valid. */
export interface Grammar {
  /** The statements of a text. */
  parse(sql: string): Node[]
  /** The body of a `DO` or `CREATE FUNCTION` statement. */
  parsePlPgSql(statement: string): unknown
}

/** Where in a statement the walk is. */
export interface Context {
  grammar: Grammar
  /** Called for every statement met. `isRun`: its rows are what the enclosing statement is about. */
  onStatement(statement: TypedNode, context: Context, isRun: boolean): void
  collector: Collector
  /** The whole text, for positions. */
  text: string
  /** The statement, as the reader of PL/pgSQL needs it. */
  statement: string
  locate: Locate
  /** A position near by, for nodes that have none of their own. */
  anchor: number
  /** In a body that is stored or run later. */
  inner: boolean
  /** Under EXPLAIN without ANALYZE: nothing is run, but functions may be. */
  isPlanned: boolean
  /** How relations here are used. */
  mode: 'read' | 'write'
  /** Names of the queries in WITH that are visible here; they are not relations. */
  ctes: ReadonlySet<string>
  /** How many bodies are nested here. */
  depth: number
}

/** The position of a keyword after the anchor. A statement inside another has no location of its own. */
export function positionOfWord(context: Context, word: string): number {
  const pattern = new RegExp(`\\b${word}\\b`, 'gi')
  pattern.lastIndex = context.anchor
  return pattern.exec(context.text)?.index ?? context.anchor
}

export function positionOf(context: Context, location: unknown): number {
  return context.locate(location) ?? context.anchor
}
