import { readDays } from '../calendar.ts'
import type { HealthReport, ServiceHealthReport } from '../contract.ts'
import { figureOf } from '../figure.ts'
import {
  healthBuckets,
  sumHealth,
  type HealthBuckets,
  type Resolution,
  type ServiceHealth,
} from '../queries/health.ts'
import type { Period } from '../queries/period.ts'
import type { Queryable } from '../queries/query.ts'
import { toPeriod, type Scope } from '../scope.ts'

type Bucket = ServiceHealthReport['buckets'][number]

const hourMs = 3_600_000

/** A request for the last 24 hours takes a while to come. */
const lateMs = 60_000

/** The finest sums that are still kept for the beginning of the period. */
export function resolutionOf(from: Date, now = Date.now()): Resolution {
  const age = now - from.getTime()
  if (age <= 24 * hourMs + lateMs) return 'minute'
  return age <= 30 * 24 * hourMs ? 'hour' : 'day'
}

type Step = HealthReport['bucket']

/** Days, weeks or seconds per bucket, so that there are at most 96: a bar each must fit on a page. */
function stepOf({ from, to }: Period, resolution: Resolution): Step {
  const hours = (to.getTime() - from.getTime()) / hourMs
  if (hours > 96 * 24) return 'week'
  if (hours > 8 * 24 || resolution === 'day') return 'day'
  if (hours > 48) return 3 * 3_600
  return resolution === 'minute' ? 900 : 3_600
}

export async function reportHealth(db: Queryable, scope: Scope): Promise<HealthReport> {
  const { groupId, service, period } = scope
  const { tz } = period
  const current = { groupId, service, tz, from: period.from, to: period.to }
  const previous = { groupId, service, tz, from: period.previousFrom, to: period.previousTo }
  const resolution = resolutionOf(period.from)
  const step = stepOf(period, resolution)
  const starts = await startsOf(db, period, step)
  const [services, before, buckets] = await Promise.all([
    sumHealth(db, current, resolution),
    sumHealth(db, previous, resolutionOf(period.previousFrom)),
    healthBuckets(db, current, resolution, starts),
  ])
  const bucketsOf = new Map(buckets.map((each) => [each.service_id, each]))
  const times = starts.map((at) => at.toISOString())
  const sumsBefore = new Map(before.map((row) => [row.id, row]))
  const seconds = (period.to.getTime() - period.from.getTime()) / 1_000
  return {
    period: toPeriod(period),
    days: period.days,
    bucket: step,
    uptime_percent: figureOf(uptimeOf(services), uptimeOf(before)),
    incidents: figureOf(incidentsOf(services), incidentsOf(before)),
    services: services.map((row) => ({
      ...toService(row, seconds),
      previous_uptime_percent: uptimeOf([sumsBefore.get(row.id)]),
      previous_incidents: sumsBefore.get(row.id)?.incidents ?? 0,
      buckets: fill(times, bucketsOf.get(row.id)),
    })),
  }
}

/** Null without a check: a service that nobody looked at is not up. */
export function uptimeOf(rows: readonly (Pick<ServiceHealth, 'ok' | 'failed'> | undefined)[]): number | null {
  const ok = rows.reduce((sum, row) => sum + (row?.ok ?? 0), 0)
  const failed = rows.reduce((sum, row) => sum + (row?.failed ?? 0), 0)
  return ok + failed === 0 ? null : (100 * ok) / (ok + failed)
}

/** Null where there is no service that could have one. */
export function incidentsOf(rows: readonly Pick<ServiceHealth, 'incidents'>[]): number | null {
  return rows.length === 0 ? null : rows.reduce((sum, row) => sum + row.incidents, 0)
}

function toService(
  row: ServiceHealth,
  periodSeconds: number,
): Omit<ServiceHealthReport, 'previous_uptime_percent' | 'previous_incidents' | 'buckets'> {
  const { ok, failed, maintenance } = row
  return {
    id: row.id,
    service: row.name,
    title: row.title,
    state: row.state,
    uptime_percent: uptimeOf([row]),
    coverage_percent: row.coverage_percent,
    checks: { ok, failed, maintenance },
    average_latency_ms: row.average_latency_ms,
    incidents: row.incidents,
    incident_seconds: row.incident_seconds,
    mean_time_to_restore_seconds: row.average_restore_seconds,
    mean_time_between_failures_seconds:
      row.incidents === 0 ? null : Math.max(0, periodSeconds - row.incident_seconds) / row.incidents,
  }
}

/** When the buckets begin. A week has seven days of the zone, counted from the first day of the period. */
async function startsOf(db: Queryable, { from, to, tz }: Period, step: Step): Promise<Date[]> {
  if (typeof step === 'number') {
    // A rest of less than half a step belongs to the one before it: on its own it would often be without a check.
    const count = Math.max(1, Math.round((to.getTime() - from.getTime()) / (step * 1_000)))
    return Array.from({ length: count }, (_, n) => new Date(from.getTime() + n * step * 1_000))
  }
  const days = await readDays(db, from, to, tz)
  return days.filter((_, n) => step === 'day' || n % 7 === 0).map(({ start }) => start)
}

/** Every bucket of the period; one without checks says so. */
function fill(times: readonly string[], found: HealthBuckets | undefined): Bucket[] {
  const buckets: Bucket[] = times.map((at) => ({ at, ...noChecks }))
  found?.place.forEach((place, n) => {
    const [ok = 0, failed = 0, maintenance = 0] = [found.ok[n], found.failed[n], found.maintenance[n]]
    buckets[place] = {
      at: times[place] ?? '',
      ok,
      failed,
      maintenance,
      state: stateOf(ok, failed, maintenance),
      average_latency_ms: found.average_latency_ms[n] ?? null,
    }
  })
  return buckets
}

const noChecks = { ok: 0, failed: 0, maintenance: 0, state: 'none', average_latency_ms: null } as const

function stateOf(ok: number, failed: number, maintenance: number): Bucket['state'] {
  if (failed > 0) return ok > 0 ? 'degraded' : 'down'
  if (ok > 0) return 'up'
  return maintenance > 0 ? 'maintenance' : 'none'
}
