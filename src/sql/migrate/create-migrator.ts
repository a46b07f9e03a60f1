import type { PoolClient } from 'pg'
import { Fault } from '#kernel/errors'
import type { Log } from '#kernel/log'
import type { DatabaseOfGroup } from '../database/places.ts'
import { isSameEffect } from '../evidence/effect.ts'
import { locksOf, noEvidence, notTried } from '../evidence/preview.ts'
import { lockMs, trialLockMs, trialMs } from '../run/limits.ts'
import type { Connections } from '../run/pools.ts'
import { EffectChanged } from '../evidence/evidence.ts'
import { withRowHashes } from '../evidence/row-hashes.ts'
import { runForEffect, runOnce } from '../evidence/run-for-effect.ts'
import { outsideOf, type Outside } from '../run/outside.ts'
import { inSession, type SessionOptions } from '../run/session.ts'
import { appliedAt, noteApplied } from './applied.ts'
import { lint } from './lint.ts'
import type { MigrationCall, MigrationPreview, MigrationResult, Migrator } from './migration.ts'
import { previewRollback, takeBack } from './roll-back.ts'
import { runObserved } from './run-observed.ts'

export function createMigrator(
  connectionsOf: (at: DatabaseOfGroup) => Promise<Connections>,
  statementMs: number,
  log: Log,
): Migrator {
  const committed = ({ owner, signal }: MigrationCall): SessionOptions => ({
    ...{ access: 'write', ending: 'commit', statementMs, lockMs },
    owner,
    signal,
  })
  return {
    async apply(call) {
      const connections = await connectionsOf(call)
      const outside = outsideOf(connections, call)
      return inSession(connections, committed(call), (client) => applied(client, call, outside))
    },
    async preview(call) {
      const connections = await connectionsOf(call)
      return previewed(connections, trialOf(call), call)
    },
    async rollBack(call) {
      const connections = await connectionsOf(call)
      const outside = outsideOf(connections, call)
      return inSession(connections, committed(call), (client) => takeBack(client, call, outside))
    },
    async previewRollback(call) {
      return previewRollback(await connectionsOf(call), trialOf(call), call)
    },
    lint: (statements) => lint(statements, log),
  }
}

const trialOf = ({ owner, signal }: MigrationCall): SessionOptions => ({
  ...{ access: 'write', ending: 'rollback', statementMs: trialMs, lockMs: trialLockMs },
  owner,
  signal,
})

async function applied(client: PoolClient, call: MigrationCall, outside: Outside): Promise<MigrationResult> {
  const at = await appliedAt(client, call.name, call.statements)
  if (at !== undefined) return { status: 'already_applied', appliedAt: at }
  const started = performance.now()
  const ran = await runObserved(client, call, call.expect ? runForEffect : runOnce)
  const { rowsAffected, checks } = ran
  const effect = call.expect?.rows ? await withRowHashes(client, outside, ran.effect) : ran.effect
  if (call.expect && !isSameEffect(effect, call.expect)) throw new EffectChanged(effect)
  await noteApplied(client, call)
  const durationMs = Math.round((performance.now() - started) * 1000) / 1000
  return { status: 'executed', rowsAffected, checks, effect, durationMs }
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
      const { before, ...found } = await runObserved(client, call, runForEffect)
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
