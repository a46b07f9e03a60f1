import { invalidField } from '#kernel/errors'
import {
  ClassificationFault,
  type ClassifiedStatement,
  type Classifier,
  type Kind,
} from '../classify/classification.ts'
import { withoutSecrets } from '../classify/secrets.ts'
import type { StatementShape } from '../classify/shape/shape.ts'

/** What the grammar says about the texts of a call, before anything else is asked. */
export interface Reading {
  /** Whose turn it is where calls wait. */
  owner: string
  statements: ClassifiedStatement[]
  /** Each statement alone, as it is run. */
  texts: string[]
  operations: string[]
  functions: string[]
  /** For the audit log: constants are replaced where there is a secret. */
  safeText: string
  carriesSecret: boolean
  /** Why it cannot be read; it never runs then. */
  unreadable: ClassificationFault | null
}

const maxBytesTogether = 1_048_576

export async function readTexts(
  classifier: Classifier,
  given: readonly string[],
  kind: Kind,
  owner: string,
): Promise<Reading> {
  if (given.reduce((sum, text) => sum + text.length, 0) > maxBytesTogether && given.length > 1)
    throw invalidField('statements', 'must have at most 1 MiB together')
  const statements: ClassifiedStatement[] = []
  const texts: string[] = []
  const safe: string[] = []
  let unreadable: ClassificationFault | null = null
  for (const text of given) {
    // After a text that takes too long, the others are not read: the call is refused in any case.
    if (unreadable?.reason === 'parser_timeout') {
      safe.push(withoutSecrets(text))
      continue
    }
    try {
      const found = await classifier.classify(text, kind, owner)
      statements.push(...found)
      texts.push(...found.map(({ from, to }) => text.slice(from, to)))
      safe.push(safeTextOf(text, found))
    } catch (error) {
      if (!(error instanceof ClassificationFault)) throw error
      unreadable ??= error
      safe.push(error.safeText)
    }
  }
  return {
    owner,
    statements,
    texts,
    operations: unique(statements.flatMap((each) => operationsOf(each))),
    functions: unique(statements.flatMap(({ functions }) => functions.map(({ name }) => name))),
    safeText: safe.join(';\n'),
    carriesSecret: statements.some(({ carriesSecret }) => carriesSecret),
    unreadable,
  }
}

export const shapesOf = ({ statements }: Pick<Reading, 'statements'>): StatementShape[] =>
  statements.map(({ shape }) => shape)

const rowWrites = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** The tables that a query writes inside WITH; none for other statements. */
export function writesInside({ operations, relations }: ClassifiedStatement): string[] {
  const isQuery = operations.every(({ name, inner }) => !inner && (name === 'SELECT' || rowWrites.has(name)))
  if (!isQuery || !operations.some(({ name }) => name === 'SELECT')) return []
  return relations.filter(({ mode }) => mode === 'write').map(({ name }) => name)
}

/** What the statement does itself; what bodies do is judged too, but is not what it is called. */
function operationsOf({ operations }: ClassifiedStatement): string[] {
  return operations.filter(({ inner }) => !inner).map(({ name }) => name)
}

const unique = (values: string[]): string[] => [...new Set(values)]

const safeTextOf = (text: string, found: readonly ClassifiedStatement[]): string =>
  found.some(({ carriesSecret }) => carriesSecret)
    ? found.map(({ normalized }) => normalized).join(';\n')
    : text
