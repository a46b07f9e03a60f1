import type { PoolClient } from 'pg'
import type { Snapshot } from '../evidence/effect.ts'
import type { Effect } from '../evidence/evidence.ts'
import type { runOnce } from '../evidence/run-for-effect.ts'
import { askIn } from '../run/outside.ts'
import type { CheckResult, MigrationCall } from './migration.ts'
import { runChecks, runStatements } from './steps.ts'

export interface Observed {
  effect: Effect
  rewritten: string[]
  rowsAffected: number | null
  checks: CheckResult[]
  before: Snapshot
}

/** Removed rows are counted only where a person sees them or an approval promised something about them. */
export async function runObserved(
  client: PoolClient,
  { statements, writesInside, checks, verify }: MigrationCall,
  observe: typeof runOnce<number | null>,
): Promise<Observed> {
  const earlier = await runChecks(client, checks)
  const { result, ...found } = await observe(client, () => runStatements(client, statements, writesInside))
  const later = await runChecks(client, checks)
  await verify?.(askIn(client))
  const compared = checks.map(({ sql }, at) => ({ sql, before: earlier[at], after: later[at] }))
  return { ...found, rowsAffected: result, checks: compared }
}
