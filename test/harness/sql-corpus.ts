import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../fixtures/sql')

/** A hostile or odd statement, with what it is and whether a read-only policy may let it through. */
export interface CorpusStatement {
  id: string
  sql: string
  /** Null: it must not parse. */
  operations: string[] | null
  /** Functions that a reviewer would want to see; harmless ones are left out. */
  functions: string[]
  readOnlyPolicy: 'allow' | 'deny'
}

export const corpus = JSON.parse(readFileSync(join(folder, 'corpus.json'), 'utf8')) as CorpusStatement[]
