import type { Client } from 'pg'
import { messageOf } from '#kernel/errors'
import { mask } from '#kernel/mask'
import { differenceOf, seenBy, tablesOf, type Difference } from './observe.ts'

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
    const error = isCut ? null : await failureOf(client, sql)
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

async function failureOf(client: Client, sql: string): Promise<string | null> {
  try {
    await client.query({ text: sql, queryMode: 'extended' } as never)
    return null
  } catch (error) {
    if ((error as { code?: string }).code === undefined) throw error
    return mask(messageOf(error))
  }
}
