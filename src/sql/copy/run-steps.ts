import type { Client } from 'pg'
import { differenceOf, seenBy, tablesOf, type Difference } from './observe.ts'
import { runAlone } from './run-alone.ts'

export interface TrialStatement {
  sql: string
  /** Without secrets. */
  shown: string
  changesRows: boolean
}

export interface Step extends Difference {
  shown: string
  changesRows: boolean
  /** Null: an earlier statement failed. */
  durationMs: number | null
  error: string | null
}

const nothing: Difference = { locks: [], rewritten: [], scanned: [], indexed: [] }

/** Runs the statements one by one in a transaction, as they would run for real, and looks at each. */
export async function runSteps(
  client: Client,
  statements: readonly TrialStatement[],
  signal: AbortSignal,
): Promise<Step[]> {
  const tables = await tablesOf(client)
  const steps: Step[] = []
  await client.query('begin')
  let before = await seenBy(client)
  for (const { sql, shown, changesRows } of statements) {
    signal.throwIfAborted()
    const isCut = steps.some(({ error }) => error !== null)
    const started = performance.now()
    const error = isCut ? null : await runAlone(client, sql)
    const durationMs = isCut ? null : Math.round((performance.now() - started) * 1000) / 1000
    if (isCut || error !== null) {
      steps.push({ ...nothing, shown, changesRows, durationMs, error })
      continue
    }
    const after = await seenBy(client)
    steps.push({ ...differenceOf(tables, before, after), shown, changesRows, durationMs, error: null })
    before = after
  }
  await client.query('rollback')
  return steps
}
