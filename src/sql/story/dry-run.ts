import type { DryRun } from '../contract.ts'
import type { Evidence } from '../evidence/evidence.ts'
import type { Call, Runner } from '../run/runner.ts'
import { Refusal } from '../refusal.ts'
import { SqlError } from '../run/faults.ts'
import { skipSpace } from '../classify/lexer.ts'
import { shownEvidence } from './evidence.ts'
import type { Judged } from './judge.ts'
import type { Reading } from './reading.ts'
import type { Done } from './recorded.ts'

/** Locks, time, and what a transaction does not allow: the statement itself may still be right. */
const mayStillRun = new Set(['55P03', '57014', '25001'])

/** What fails in the trial fails here: nobody is asked about it. */
export function refuseFailure({ failure }: Evidence): void {
  if (failure instanceof SqlError && !mayStillRun.has(failure.sqlstate)) throw failure
  if (failure instanceof Refusal && failure.rule === 'table_touched') throw failure
}

/** What the statement would do. */
export async function tried(runner: Runner, call: Call): Promise<Evidence> {
  const evidence = await runner.preview(call)
  refuseFailure(evidence)
  return evidence
}

/** Nothing of it is kept but the entry in the audit log. */
export async function dryRun(
  runner: Runner,
  { call, reading, judged }: { call: Call; reading: Reading; judged: Judged },
  check: (evidence: Evidence) => void,
): Promise<Done<DryRun>> {
  const evidence = call.access === 'read' ? await planned(runner, call) : await tried(runner, call)
  check(evidence)
  const preview = shownEvidence(evidence, reading.carriesSecret, judged)
  const value: DryRun = {
    status: 'dry_run',
    operations: reading.operations,
    decision: judged.decision.decision === 'approve' ? 'approve' : 'execute',
    plan: preview.plan,
    rows_affected: preview.rows_affected,
    preview,
  }
  return {
    outcome: {
      status: 'dry_run' as const,
      rowsAffected: evidence.rowsAffected,
      durationMs: evidence.durationMs,
    },
    value,
  }
}

const explaining = 'explain (format json) '

/** A read is planned and not run. Commands without a plan, such as SHOW, are accepted as they are. */
async function planned(runner: Runner, call: Call): Promise<Evidence> {
  const nothing = {
    effect: null,
    rowsAffected: null,
    locks: [],
    rewritten: [],
    otherSessions: 0,
    skipped: null,
    failure: null,
  }
  if (!/^(select|with|values|table|\()/i.test(call.sql.slice(skipSpace(call.sql, 0))))
    return { ...nothing, plan: null, durationMs: 0, skipped: 'This statement has no plan.' }
  try {
    const { rows, durationMs } = await runner.run({ ...call, sql: explaining + call.sql, maxRows: 1 })
    return { ...nothing, plan: Object.values(rows[0] ?? {})[0] ?? null, durationMs }
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
    const position = error.position === null ? null : error.position - explaining.length
    throw new SqlError(error.message, error.sqlstate, position, error)
  }
}
