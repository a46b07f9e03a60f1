import { createHash, randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { Principal } from '#kernel/auth'
import { Fault, faults, messageOf } from '#kernel/errors'
import { configActivity, type Events } from '#kernel/events'
import type { Log } from '#kernel/log'
import { mask } from '#kernel/mask'
import type { Asker, AttemptFacts, AuditStatus, StatementShape } from '../contract.ts'
import type { AuditKind, SqlTables } from '../tables.ts'
import * as store from './audit-store.ts'
import { cutSql, type AuditEntry } from './entry.ts'
import { factsOf } from './facts.ts'
import { createPresence, ifDead } from './presence.ts'

/** What somebody tries to do. */
export interface Attempt {
  groupId: string
  kind: AuditKind
  database: string
  /** The exact text; only its hash is kept. */
  text: string
  /** The text as it may be logged. */
  safeText: string
  by: Executor
  agentId: string | null
  policyVersion: number | null
  reason: string
  operations: readonly string[]
  rule: string | null
  approvalId: string | null
  /** Masked columns and the grant that take part. */
  masked?: readonly string[]
  grantId?: string | null
  /** What its statements are, for workflows. */
  shapes?: readonly StatementShape[]
}

export interface Executor {
  name: string
  userId: string | null
  keyId: string | null
  /** The person and the run behind it. */
  asked: Asker
}

export const executorOf = ({ user, key }: Principal): Executor => ({
  name: key ? `key ${key.name}` : (user?.email ?? 'unknown'),
  userId: user?.id ?? null,
  keyId: key?.id ?? null,
  asked: {
    user: user && { id: user.id, name: user.name, email: user.email },
    agent_version: key?.run?.agentVersion ?? null,
    run_id: key?.run?.id ?? null,
    request: key?.run?.request ?? null,
  },
})

export interface Outcome {
  status: AuditStatus
  error?: string
  rule?: string
  rowsAffected?: number | null
  durationMs?: number
  approvalId?: string
  /** Kept beside the log, for workflows. */
  facts?: AttemptFacts
}

export interface AuditDeps {
  db: Kysely<SqlTables>
  /** For the locks that show which processes are alive. */
  sessions: pg.Pool
  events: Events
  log: Log
}

/** Every attempt, before and after. What cannot be recorded does not run. */
export function createAudit({ db, sessions, events, log }: AuditDeps) {
  const presence = createPresence(sessions)
  /** Outcomes that could not be written yet. */
  const late: { entry: AuditEntry; facts: AttemptFacts | undefined }[] = []

  async function append(entry: AuditEntry, running: store.Running, into = db): Promise<void> {
    try {
      await store.appendEntry(into, entry, running)
    } catch (error) {
      throw new Fault(faults.unavailable, unwritten, {
        internal: messageOf(error),
        cause: error,
        headers: { 'retry-after': '2' },
      })
    }
  }

  async function writeLate(): Promise<void> {
    for (let one = late.shift(); one; one = late.shift()) {
      try {
        await store.appendEntry(db, one.entry, { closes: true, facts: one.facts })
      } catch (error) {
        // Settled by somebody else meanwhile; otherwise the next attempt tries again.
        if ((error as { code?: string }).code === '23505') continue
        late.unshift(one)
        throw error
      }
    }
  }

  return {
    /** An attempt that runs nothing: refused, paused, approved, rejected. Returns its ID. */
    async record(attempt: Attempt, outcome: Outcome, into = db): Promise<string> {
      const entry = withOutcome(firstEntry(attempt), outcome)
      await append(entry, undefined, into)
      return entry.attempt_id
    },

    /**
     * Runs the work between two entries. The first must be written before the work begins; the second has the outcome
     * that the work returns, or that `failed` makes of its error.
     */
    async around<T>(
      attempt: Attempt,
      work: (id: string) => Promise<{ outcome: Outcome; value: T }>,
      failed: (error: unknown) => Outcome,
    ): Promise<T> {
      return presence.during(async () => {
        const entry: AuditEntry = { ...firstEntry(attempt), status: 'running' }
        await writeLate()
        await append(entry, { opens: presence.process })
        const settle = async (outcome: Outcome): Promise<void> => {
          const last: AuditEntry = withOutcome({ ...entry, phase: 'after', created_at: new Date() }, outcome)
          const facts = outcome.facts ?? (attempt.shapes && factsOf(attempt.shapes, {}))
          await store.appendEntry(db, last, { closes: true, facts }).catch((error: unknown) => {
            late.push({ entry: last, facts })
            log.error({ error, attempt: entry.attempt_id }, 'the outcome of a statement was not recorded')
            throw new Fault(faults.unavailable, unsettled, { cause: error })
          })
        }
        let result: Awaited<ReturnType<typeof work>>
        try {
          result = await work(entry.attempt_id)
        } catch (error) {
          await settle(failed(error))
          throw error
        }
        await settle(result.outcome)
        return result.value
      })
    },

    /** Settles what processes that died left open: nobody knows whether it happened. */
    async settleDead(): Promise<void> {
      for (const process of await store.openProcesses(db))
        if (process !== presence.process)
          await ifDead(sessions, process, async () => {
            for (const entry of await store.openEntries(db, process)) await settleUnknown(entry)
          })
    },
  }

  async function settleUnknown(entry: AuditEntry): Promise<void> {
    const error = 'Signalbox ended while it ran. The database may or may not have the change.'
    const last = { ...entry, phase: 'after' as const, created_at: new Date() }
    try {
      await store.appendEntry(db, withOutcome(last, { status: 'unknown', error }), { closes: true })
    } catch (failure) {
      // The outcome was on its way to the database when the process died, and arrived.
      if ((failure as { code?: string }).code === '23505') return
      throw failure
    }
    log.warn({ attempt: entry.attempt_id, database: entry.database }, 'the outcome of a statement is unknown')
    events.emit('activity', {
      ...configActivity,
      groupId: entry.group_id,
      by: null,
      severity: 'warning',
      title: `Outcome unknown: ${entry.operations.join(', ')} in ${entry.database}`,
      message: error,
      metadata: { audit_id: entry.attempt_id, database: entry.database, agent_id: entry.agent_id },
    })
  }
}

export type Audit = ReturnType<typeof createAudit>

const unwritten = 'The audit log cannot be written, so the statement did not run. Try again in a moment.'
const unsettled =
  'The statement ran, but its outcome could not be recorded yet. The audit log shows it as running.'

function firstEntry(attempt: Attempt): AuditEntry {
  return {
    group_id: attempt.groupId,
    attempt_id: randomUUID(),
    phase: 'before',
    kind: attempt.kind,
    database: attempt.database,
    ...cutSql(mask(attempt.safeText)),
    sql_hash: createHash('sha256').update(attempt.text).digest(),
    executor: mask(attempt.by.name),
    user_id: attempt.by.userId,
    api_key_id: attempt.by.keyId,
    agent_id: attempt.agentId,
    policy_version: attempt.policyVersion,
    reason: mask(attempt.reason),
    operations: [...attempt.operations],
    status: 'running',
    rule: attempt.rule,
    error: null,
    rows_affected: null,
    duration_ms: null,
    approval_id: attempt.approvalId,
    asked_by: attempt.by.asked,
    masked: attempt.masked?.length ? [...attempt.masked] : null,
    grant_id: attempt.grantId ?? null,
    created_at: new Date(),
  }
}

function withOutcome(entry: AuditEntry, outcome: Outcome): AuditEntry {
  return {
    ...entry,
    status: outcome.status,
    rule: outcome.rule ?? entry.rule,
    error: outcome.error === undefined ? null : cutSql(mask(outcome.error)).sql,
    rows_affected: outcome.rowsAffected ?? null,
    duration_ms: outcome.durationMs ?? null,
    approval_id: outcome.approvalId ?? entry.approval_id,
  }
}
