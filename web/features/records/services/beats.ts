import type { HealthReport } from '#analytics/contract'
import type { HealthRollup } from '#records/contract'
import type { Beat, BeatState } from '../../../ui/heartbeat-bars.tsx'
import { dayAndTimeText, shortDayText } from '../../../ui/moment.ts'
import { counted } from '../../../ui/quantity.ts'

type Bucket = HealthReport['services'][number]['buckets'][number]

export const beatsOfBuckets = (buckets: readonly Bucket[]): Beat[] =>
  buckets.map(({ at, ok, failed, maintenance, state }) => ({
    state,
    text: `${shortDayText(at)}: ${checksText(ok, failed, maintenance)}`,
  }))

export const stepLengths = { hour: 3_600_000, day: 86_400_000 }

/** One bar per hour or day (UTC) up to now, the oldest first; grey where nothing was checked. */
export function beatsOfRollups(
  rollups: readonly HealthRollup[],
  resolution: keyof typeof stepLengths,
  count: number,
  now: number,
): Beat[] {
  const length = stepLengths[resolution]
  const found = new Map(rollups.map((rollup) => [Date.parse(rollup.at), rollup]))
  const last = Math.floor(now / length) * length
  const timeText = resolution === 'hour' ? dayAndTimeText : shortDayText
  return Array.from({ length: count }, (_, index) => {
    const at = last - (count - 1 - index) * length
    const { ok_count = 0, failed_count = 0, maintenance_count = 0 } = found.get(at) ?? {}
    return {
      state: stateOf(ok_count, failed_count, maintenance_count),
      text: `${timeText(at)}: ${checksText(ok_count, failed_count, maintenance_count)}`,
    }
  })
}

function stateOf(ok: number, failed: number, maintenance: number): BeatState {
  if (failed > 0) return ok > 0 ? 'degraded' : 'down'
  if (ok > 0) return 'up'
  return maintenance > 0 ? 'maintenance' : 'none'
}

function checksText(ok: number, failed: number, maintenance: number): string {
  const parts = [
    ok > 0 && `${counted(ok, 'check')} passed`,
    failed > 0 && `${failed} failed`,
    maintenance > 0 && `${maintenance} during maintenance`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? 'no data' : parts.join(', ')
}

/** Passed checks of all that counted, in percent; null without any. */
export function uptimeOf(rollups: readonly HealthRollup[]): number | null {
  const ok = rollups.reduce((sum, { ok_count }) => sum + ok_count, 0)
  const all = rollups.reduce((sum, { ok_count, failed_count }) => sum + ok_count + failed_count, 0)
  return all === 0 ? null : (ok / all) * 100
}
