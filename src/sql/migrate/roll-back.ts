import type { PoolClient } from 'pg'
import { Fault, faults } from '#kernel/errors'
import { isSameEffect } from '../evidence/effect.ts'
import { EffectChanged, type Evidence } from '../evidence/evidence.ts'
import { locksOf, noEvidence, notTried } from '../evidence/preview.ts'
import { withRowHashes } from '../evidence/row-hashes.ts'
import { runForEffect, runOnce } from '../evidence/run-for-effect.ts'
import { outsideOf, type Outside } from '../run/outside.ts'
import type { Connections } from '../run/pools.ts'
import { inSession, type SessionOptions } from '../run/session.ts'
import { checkLatest, removeApplied } from './applied.ts'
import type { RollbackCall, RollbackResult } from './migration.ts'
import { runObserved } from './run-observed.ts'

/** The statements and the entry of the list go together. */
export async function takeBack(
  client: PoolClient,
  call: RollbackCall,
  outside: Outside,
): Promise<RollbackResult> {
  await checkFirst(client, call)
  const started = performance.now()
  const ran = await runObserved(client, call, call.expect ? runForEffect : runOnce)
  const effect = call.expect?.rows ? await withRowHashes(client, outside, ran.effect) : ran.effect
  if (call.expect && !isSameEffect(effect, call.expect)) throw new EffectChanged(effect)
  await removeApplied(client, call.name)
  const durationMs = Math.round((performance.now() - started) * 1000) / 1000
  return { rowsAffected: ran.rowsAffected, effect, durationMs }
}

/** The same without an end. What makes a rollback impossible is thrown; what fails in the statements is evidence. */
export async function previewRollback(
  connections: Connections,
  options: SessionOptions,
  call: RollbackCall,
): Promise<Evidence> {
  const started = performance.now()
  const durationMs = (): number => Math.round(performance.now() - started)
  try {
    return await inSession(connections, options, async (client) => {
      await checkFirst(client, call)
      const { before, checks: _checks, ...found } = await runObserved(client, call, runForEffect)
      const effect = await withRowHashes(client, outsideOf(connections, call), found.effect)
      return { ...noEvidence, ...found, effect, ...(await locksOf(client, before)), durationMs: durationMs() }
    })
  } catch (error) {
    call.signal.throwIfAborted()
    if (!(error instanceof Fault) || error.code === 'conflict') throw error
    return { ...noEvidence, durationMs: durationMs(), skipped: notTried(error.message), failure: error }
  }
}

async function checkFirst(client: PoolClient, { name, sha256, mustBeEmpty }: RollbackCall): Promise<void> {
  await checkLatest(client, name, sha256)
  for (const table of mustBeEmpty) {
    // No row comes between the look and the statement.
    await client.query(`lock table ${table} in access exclusive mode`)
    const { rowCount } = await client.query(`select from ${table} limit 1`)
    if (rowCount !== 0)
      throw new Fault(
        faults.conflict,
        `No way back was given, and the table ${table} has rows by now, so it is not dropped. Take it back by a migration of your own.`,
      )
  }
}
