import type { CopyStep, CopyTrial } from '../contract.ts'
import { asLogin } from '../database/as-login.ts'
import type { DatabaseOfGroup } from '../database/places.ts'
import type { Runner } from '../run/runner.ts'
import type { Copies } from './copies.ts'
import { estimateOf, lockedTables, sizesOf } from './estimate.ts'
import { fillCopy } from './fill.ts'
import { measureRates } from './rates.ts'
import { runSteps, type TrialStatement } from './run-steps.ts'
import { schemaScript } from './schema-script.ts'

export interface CopyCall extends DatabaseOfGroup {
  statements: readonly TrialStatement[]
  signal: AbortSignal
}

export type TryOnCopy = (call: CopyCall) => Promise<CopyTrial>

/** Runs statements on a copy of the schema. The real database is only read: its structure, and the sizes of its tables. */
export const createTryOnCopy =
  (copies: Copies, runner: Runner): TryOnCopy =>
  async (call) => {
    const started = performance.now()
    const script = await schemaScript(runner, call)
    const found = await copies.use((login) =>
      asLogin(login, async (client) => {
        const filled = await fillCopy(client, script, call.signal)
        const rates = await measureRates(client)
        return { filled, rates, steps: await runSteps(client, call.statements, call.signal) }
      }),
    )
    const { filled, rates, steps } = found
    const touched = steps.flatMap(({ locks, rewritten, scanned, indexed }) => [
      ...locks.map(({ relation }) => relation),
      ...rewritten,
      ...scanned,
      ...indexed,
    ])
    const sizes = await sizesOf(runner, call, touched)
    const statements = steps.map((step): CopyStep => ({
      sql: step.shown,
      duration_ms: step.durationMs,
      locks: step.locks,
      rewritten: step.rewritten,
      scanned: step.scanned,
      estimate_ms: estimateOf(step, sizes, rates),
      error: step.error,
    }))
    return {
      tried_at: new Date().toISOString(),
      ok: steps.every(({ error }) => error === null),
      statements,
      locked: lockedTables(statements, sizes),
      left_out: filled.leftOut,
      objects: filled.objects,
      duration_ms: Math.round(performance.now() - started),
    }
  }
