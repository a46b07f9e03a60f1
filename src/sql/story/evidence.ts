import { mask } from '#kernel/mask'
import type { SqlEvidence } from '../contract.ts'
import type { Evidence } from '../evidence/evidence.ts'

/** For people and for the response. A plan repeats constants, so it is left out where there is a secret. */
export function shownEvidence(
  evidence: Evidence,
  carriesSecret: boolean,
  more: Pick<SqlEvidence, 'warnings' | 'checks'> = { warnings: [], checks: [] },
): SqlEvidence {
  const shown: SqlEvidence = {
    effect: evidence.effect,
    rows_affected: evidence.rowsAffected,
    locks: evidence.locks,
    rewritten: evidence.rewritten,
    other_sessions: evidence.otherSessions,
    plan: carriesSecret ? null : evidence.plan,
    duration_ms: evidence.durationMs,
    skipped: evidence.skipped,
    ...more,
  }
  const text = JSON.stringify(shown)
  return mask(text) === text ? shown : { ...shown, plan: null, skipped: shown.skipped && mask(shown.skipped) }
}
