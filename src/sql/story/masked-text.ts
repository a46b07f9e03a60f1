import { edited, isSound, placeBefore } from '../rules/replace.ts'
import { notReplaced } from '../rules/apply.ts'
import { SqlError } from '../run/faults.ts'
import { refusalOf, type JudgeDeps, type Judged } from './judge.ts'
import type { Reading } from './reading.ts'

/** Whether what runs is the same query, with nothing of the tables left but what the masks leave: it is read again. */
export async function isMaskable(
  { classifier }: Pick<JudgeDeps, 'classifier'>,
  reading: Reading,
  { found: { edits } }: Judged,
): Promise<boolean> {
  const [statement] = reading.statements
  if (edits.length === 0 || statement === undefined) return true
  const text = edited(reading.texts[0] ?? '', edits)
  // The longer limit: masks make a text longer than it was.
  const after = await classifier.classify(text, 'migrate', reading.owner).catch(() => [])
  return isSound(statement, after, edits)
}

export function maskRefused({ statements }: Reading, judged: Judged): Judged {
  const position = (judged.found.edits[0]?.from ?? 0) + (statements[0]?.from ?? 0)
  return { ...judged, decision: { decision: 'refuse', ...notReplaced(position) } }
}

/** The only statement of a call with masks in the place of masked columns; undefined where it has none. */
export async function maskedText(
  deps: Pick<JudgeDeps, 'classifier'>,
  reading: Reading,
  judged: Judged,
): Promise<string | undefined> {
  const { edits } = judged.found
  if (edits.length === 0) return undefined
  if (!(await isMaskable(deps, reading, judged))) throw refusalOf(maskRefused(reading, judged))
  return edited(reading.texts[0] ?? '', edits)
}

/** Errors of a write may quote values of rows, and so of masked columns. */
const quoting = /^(22|P0|23514|XX)/
/** A value that is read as the name of something quotes it too; of a name in the text PostgreSQL knows the place. */
const naming = /^(42P01|42601|42602|42703|42704|42725|42883|3F000|3D000|26000|34000)$/
const rowWrites = /^(INSERT|UPDATE|DELETE|MERGE|SELECT)$/

/** Code that raises an error says what it likes, under any number. */
function mayQuote({ sqlstate, position, cause }: SqlError, operations: readonly string[]): boolean {
  const { routine } = (cause ?? {}) as { routine?: string }
  const mayName = position === null && operations.some((operation) => rowWrites.test(operation))
  return quoting.test(sqlstate) || routine === 'exec_stmt_raise' || (mayName && naming.test(sqlstate))
}

/** What the caller gets of an error where columns are masked: PostgreSQL reports the place in the text that ran. */
export function withoutMasked<E>(error: E, reading: Reading, { found }: Judged): E | SqlError {
  if (!(error instanceof SqlError) || (found.tables.size === 0 && !found.hasUnread)) return error
  const isMaskedQuery = found.edits.length > 0
  const isQuoting = mayQuote(error, reading.operations) && (found.hasUnread || !isMaskedQuery)
  if (!isQuoting && !isMaskedQuery) return error
  const position =
    isMaskedQuery && error.position !== null
      ? placeBefore(error.position, found.edits) + (reading.statements[0]?.from ?? 0)
      : error.position
  if (!isQuoting) return new SqlError(error.message, error.sqlstate, position, error.cause)
  // A trigger may read a table that the statement does not name.
  const columns = found.masked.length > 0 ? found.masked : [...found.tables].map((table) => `of ${table}`)
  const what =
    columns.length > 0
      ? `masked columns (${columns.join(', ')})`
      : 'what the rules by table and column hide, for it runs code that makes SQL'
  const message = `PostgreSQL refused it with ${error.sqlstate}. Its message may quote ${what} and is left out.`
  return new SqlError(message, error.sqlstate, position, error.cause)
}
