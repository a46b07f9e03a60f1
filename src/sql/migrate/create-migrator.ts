import type { PoolClient } from 'pg'
import { Fault } from '#kernel/errors'
import type { Log } from '#kernel/log'
import type { DatabaseOfGroup } from '../database/places.ts'
import { isSameEffect, type Snapshot } from '../evidence/effect.ts'
import { locksOf, noEvidence, notTried } from '../evidence/preview.ts'
import { lockMs, trialLockMs, trialMs } from '../run/limits.ts'
import type { Connections } from '../run/pools.ts'
import { EffectChanged, type Effect } from '../evidence/evidence.ts'
import { withRowHashes } from '../evidence/row-hashes.ts'
import { runForEffect, runOnce } from '../evidence/run-for-effect.ts'
import { outsideOf, type Outside } from '../run/outside.ts'
import { inSession, type SessionOptions } from '../run/session.ts'
import { appliedAt, noteApplied } from './applied.ts'
import { lint } from './lint.ts'
import type { CheckResult, MigrationCall, MigrationPreview, MigrationResult, Migrator } from './migration.ts'
import { runChecks, runStatements } from './steps.ts'

export function createMigrator(
  connectionsOf: (at: DatabaseOfGroup) => Promise<Connections>,
  statementMs: number,
  log: Log,
): Migrator {
  const shared = { access: 'write' } as const
  return {
    async apply(call) {
      const options: SessionOptions = {
        ...shared,
        owner: call.owner,
        statementMs,
        lockMs,
        signal: call.signal,
        ending: 'commit',
      }
      const connections = await connectionsOf(call)
      const outside = outsideOf(connections, call)
      return inSession(connections, options, (client) => applied(client, call, outside))
    },
    async preview(call) {
      const options: SessionOptions = {
        ...shared,
        owner: call.owner,
        statementMs: trialMs,
        lockMs: trialLockMs,
        signal: call.signal,
        ending: 'rollback',
      }
      const connections = await connectionsOf(call)
      return previewed(connections, options, call)
    },
    lint: (statements) => lint(statements, log),
  }
}

async function applied(client: PoolClient, call: MigrationCall, outside: Outside): Promise<MigrationResult> {
  const at = await appliedAt(client, call.name, call.statements)
  if (at !== undefined) return { status: 'already_applied', appliedAt: at }
  const started = performance.now()
  const ran = await done(client, call, call.expect ? runForEffect : runOnce)
  const { rowsAffected, checks } = ran
  const effect = call.expect?.rows ? await withRowHashes(client, outside, ran.effect) : ran.effect
  if (call.expect && !isSameEffect(effect, call.expect)) throw new EffectChanged(effect)
  await noteApplied(client, call)
  const durationMs = Math.round((performance.now() - started) * 1000) / 1000
  return { status: 'executed', rowsAffected, checks, effect, durationMs }
}

interface Done {
  effect: Effect
  rewritten: string[]
  rowsAffected: number | null
  checks: CheckResult[]
  before: Snapshot
}

/** Removed rows are counted only where a person sees them or an approval promised something about them. */
async function done(
  client: PoolClient,
  { statements, writesInside, checks }: MigrationCall,
  observe: typeof runOnce<number | null>,
): Promise<Done> {
  const earlier = await runChecks(client, checks)
  const { result, ...found } = await observe(client, () => runStatements(client, statements, writesInside))
  const later = await runChecks(client, checks)
  const compared = checks.map((sql, at) => ({ sql, before: earlier[at], after: later[at] }))
  return { ...found, rowsAffected: result, checks: compared }
}

const nothing: MigrationPreview = { ...noEvidence, checks: [], isApplied: false }

async function previewed(
  connections: Connections,
  options: SessionOptions,
  call: MigrationCall,
): Promise<MigrationPreview> {
  const started = performance.now()
  const durationMs = (): number => Math.round(performance.now() - started)
  try {
    return await inSession(connections, options, async (client) => {
      if ((await appliedAt(client, call.name, call.statements)) !== undefined)
        return { ...nothing, isApplied: true, durationMs: durationMs() }
      const { before, ...found } = await done(client, call, runForEffect)
      const effect = await withRowHashes(client, outsideOf(connections, call), found.effect)
      return { ...nothing, ...found, effect, ...(await locksOf(client, before)), durationMs: durationMs() }
    })
  } catch (error) {
    call.signal.throwIfAborted()
    // A conflict of names is not a matter of the trial.
    if (!(error instanceof Fault) || error.code === 'conflict') throw error
    return { ...nothing, durationMs: durationMs(), skipped: notTried(error.message), failure: error }
  }
}
