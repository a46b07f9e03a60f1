import type { PoolClient } from 'pg'
import { Fault } from '#kernel/errors'
import { fetchRows } from '../run/fetch.ts'
import { trialLockMs, trialMs } from '../run/limits.ts'
import type { Connections } from '../run/pools.ts'
import type { Evidence } from './evidence.ts'
import type { Call } from '../run/runner.ts'
import { askIn, outsideOf, type Outside } from '../run/outside.ts'
import { inSession } from '../run/session.ts'
import type { Snapshot } from './effect.ts'
import { withRowHashes } from './row-hashes.ts'
import { runForEffect } from './run-for-effect.ts'

/** What the statement would do, by doing it and rolling it back. Triggers fire and sequences move; rows do not stay. */
export async function preview(connections: Connections, call: Call): Promise<Evidence> {
  const started = performance.now()
  const options = {
    access: 'write',
    owner: call.owner,
    statementMs: trialMs,
    lockMs: trialLockMs,
    signal: call.signal,
    ending: 'rollback',
  } as const
  try {
    return await inSession(connections, options, (client) =>
      tried(client, call, outsideOf(connections, call)),
    )
  } catch (error) {
    call.signal.throwIfAborted()
    if (!(error instanceof Fault)) throw error
    return {
      ...noEvidence,
      durationMs: Math.round(performance.now() - started),
      skipped: notTried(error.message),
      failure: error,
    }
  }
}

/** Without a trial nothing is shown, and so nothing can be compared when it runs. */
export const notTried = (why: string): string =>
  `It could not be tried, so its effect is not known and is not compared when it runs. ${why}`

/** Before anything is known. */
export const noEvidence: Evidence = {
  effect: null,
  rowsAffected: null,
  locks: [],
  rewritten: [],
  otherSessions: 0,
  plan: null,
  durationMs: 0,
  skipped: null,
  failure: null,
}

async function tried(client: PoolClient, call: Call, outside: Outside): Promise<Evidence> {
  const plan = await planOf(client, call)
  const { result, before, rewritten, effect } = await runForEffect(client, async () => {
    const started = performance.now()
    const limits = { maxRows: 1, access: 'write', writesInside: call.writesInside } as const
    const { rowsAffected } = await fetchRows(client, call.sql, call.params, limits)
    return { rowsAffected, durationMs: Math.round(performance.now() - started) }
  })
  await call.verify?.(askIn(client))
  const { locks, otherSessions } = await locksOf(client, before)
  return {
    ...result,
    effect: await withRowHashes(client, outside, effect),
    locks,
    rewritten,
    otherSessions,
    plan,
    skipped: null,
    failure: null,
  }
}

/** Utility statements have no plan. */
export async function planOf(client: PoolClient, call: Pick<Call, 'sql' | 'params'>): Promise<unknown> {
  await client.query('savepoint planning')
  try {
    const { rows } = await fetchRows(client, `explain (format json) ${call.sql}`, call.params, {
      maxRows: 1,
      access: 'read',
    })
    await client.query('release savepoint planning')
    return rows[0]?.[0] ?? null
  } catch {
    await client.query('rollback to savepoint planning')
    return null
  }
}

export async function locksOf(
  client: PoolClient,
  { relations }: Snapshot,
): Promise<Pick<Evidence, 'locks' | 'otherSessions'>> {
  const { rows } = await client.query<{ oid: string; mode: string; others: number }>(
    `select l.relation::text as oid, l.mode,
       (select count(distinct o.pid)::int from pg_locks o where o.relation = l.relation and o.database = l.database
         and o.pid <> pg_backend_pid()) as others
     from pg_locks l where l.pid = pg_backend_pid() and l.locktype = 'relation' and l.granted
     order by 1, 2`,
  )
  // Names from before: what was dropped has none any more.
  const own = rows.flatMap((row) => {
    const relation = relations?.get(row.oid)?.name
    return relation === undefined ? [] : [{ ...row, relation }]
  })
  // Looking at the tables took this lock, not the statement.
  const locks = own.filter(({ mode }) => mode !== 'AccessShareLock')
  const touched = new Set(locks.map(({ relation }) => relation))
  const others = own.filter(({ relation }) => touched.has(relation)).map((row) => row.others)
  return {
    locks: locks.map(({ relation, mode }) => ({ relation, mode: mode.replace(/Lock$/, '') })),
    otherSessions: Math.max(0, ...others),
  }
}
