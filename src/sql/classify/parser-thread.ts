import { setFlagsFromString } from 'node:v8'
import { hasSqlDetails, loadModule, normalizeSync, parsePlPgSQLSync, parseSync, scanSync } from 'libpg-query'
import { messageOf } from '#kernel/errors'
import { serveThread } from '#kernel/thread'
import type { ClassifiedStatement } from './classification.ts'
import { locateCodePoint } from './locate.ts'
import type { Node } from './node.ts'
import { readStatements, type FullGrammar } from './read-statements.ts'

/** An empty text only asks whether the thread is ready. */
export interface ParserRequest {
  sql: string
}

export type ParserResponse =
  | { outcome: 'read'; statements: ClassifiedStatement[] }
  | { outcome: 'syntax'; message: string; position: number }
  /** The parser may be damaged: the thread must not be used again. */
  | { outcome: 'broken'; message: string }

const grammar: FullGrammar = {
  parse: (sql) => (parseSync(sql) as { stmts?: Node[] }).stmts ?? [],
  parsePlPgSql: parsePlPgSQLSync,
  normalize: normalizeSync,
}

// The engine compiles functions at their first use, which must not count as reading a text.
const everyday = `WITH a AS (SELECT f(1) FROM b WHERE c = 'd' ORDER BY 1) INSERT INTO e SELECT * FROM a JOIN g ON true`
const ready = loadModule().then(() => {
  // What finds the words, without the grammar.
  scanSync(everyday)
  // The grammar, and nothing behind it.
  withoutOptimisation(() => read('no statement'))
  return read(everyday)
})

serveThread<undefined, ParserRequest, ParserResponse>(async ({ sql }) => {
  await ready
  return { response: read(sql) }
})

/**
 * Optimising the largest function of the grammar takes the engine 550 MB for some seconds, which is more than the server
 * needs for everything else. A function is optimised later only if it was compiled for it.
 */
function withoutOptimisation(work: () => void): void {
  const flags = ['wasm-dynamic-tiering', 'wasm-tier-up']
  for (const flag of flags) setFlagsFromString(`--no-${flag}`)
  try {
    work()
  } finally {
    for (const flag of flags) setFlagsFromString(`--${flag}`)
  }
}

function read(sql: string): ParserResponse {
  try {
    return { outcome: 'read', statements: readStatements(sql, grammar) }
  } catch (error) {
    if (!hasSqlDetails(error)) return { outcome: 'broken', message: messageOf(error) }
    const position = locateCodePoint(sql, error.sqlDetails?.cursorPosition ?? 0)
    return { outcome: 'syntax', message: error.message, position }
  }
}
