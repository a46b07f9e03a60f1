import { mask } from '#kernel/mask'
import type { SqlEvidence } from '../contract.ts'
import type { Effect, Evidence } from '../evidence/evidence.ts'
import type { Judged } from './judge.ts'

/** For people and for the response. A plan repeats constants, so it is left out where there is a secret. */
export function shownEvidence(
  evidence: Evidence,
  carriesSecret: boolean,
  { found, grantId }: Pick<Judged, 'found' | 'grantId'>,
  more: Pick<SqlEvidence, 'warnings' | 'checks'> = { warnings: [], checks: [] },
): SqlEvidence {
  const shown: SqlEvidence = {
    effect: withoutHashes(evidence.effect, found.tables),
    rows_affected: evidence.rowsAffected,
    locks: evidence.locks,
    rewritten: evidence.rewritten,
    other_sessions: evidence.otherSessions,
    plan: carriesSecret ? null : evidence.plan,
    duration_ms: evidence.durationMs,
    skipped: evidence.skipped,
    ...more,
    ...(found.masked.length > 0 && { masked: found.masked }),
    ...(grantId !== null && { grant_id: grantId }),
  }
  const text = JSON.stringify(shown)
  return mask(text) === text ? shown : { ...shown, plan: null, skipped: shown.skipped && mask(shown.skipped) }
}

/** The hash of a row without a primary key would tell who guesses right what a masked column has. */
function withoutHashes(effect: Effect | null, tables: ReadonlySet<string>): Effect | null {
  if (!effect?.rows || tables.size === 0) return effect
  const isMasked = (name: string): boolean =>
    [...tables].some((table) => name.replaceAll('"', '').endsWith(`.${table.replaceAll('"', '')}`))
  return { ...effect, rows: effect.rows.filter(({ table }) => !isMasked(table)) }
}
