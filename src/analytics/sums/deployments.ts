import { statuses, type Deployments } from '../days/deployments.ts'
import type { Span } from '../days/read-days.ts'
import { stretches } from '../days/stretches.ts'
import type { ZoneDay } from '../days/zone.ts'
import { borders } from './borders.ts'
import { tallyAll, tallyServices, type DeploymentTally } from './deployment-tally.ts'
import { averageOf } from './measured.ts'
import { percentiles } from '../days/percentile.ts'

/** Of all services together (`service` null), and of each. */
export interface DeploymentSums {
  service: string | null
  total: number
  succeeded: number
  failed: number
  rolled_back: number
  running: number
  average_build_seconds: number | null
  median_build_seconds: number | null
  p95_build_seconds: number | null
  lead_count: number
  average_lead_seconds: number | null
  median_lead_seconds: number | null
  p95_lead_seconds: number | null
}

const maxServices = 500

/** Of all services together. */
export const totalOf = (deployments: Deployments, span: Span): DeploymentSums =>
  sumOf(tallyAll(deployments, span), null)

/** Of the span: all together, then each service, those with most deployments first. */
export function sumDeployments(deployments: Deployments, span: Span): DeploymentSums[] {
  const { all, services } = tallyServices(deployments, span)
  const largest = services
    .filter(({ total }) => total > 0)
    .toSorted((a, b) => b.total - a.total || (a.service < b.service ? -1 : 1))
    .slice(0, maxServices)
  // Percentiles change the order of values, and all together share those of each service: services first.
  const parts = largest.map((tally) => sumOf(tally, tally.service))
  return [sumOf(all, null), ...parts]
}

/** A deployment that was rolled back has failed. */
function sumOf(
  { total, statuses: [running, succeeded, failed, rolledBack], build, lead }: DeploymentTally,
  service: string | null,
): DeploymentSums {
  const [medianBuild = null, p95Build = null] = percentiles(build.values, 0.5, 0.95)
  const [medianLead = null, p95Lead = null] = percentiles(lead.values, 0.5, 0.95)
  return {
    service,
    total,
    succeeded,
    failed: failed + rolledBack,
    rolled_back: rolledBack,
    running,
    average_build_seconds: averageOf(build),
    median_build_seconds: medianBuild,
    p95_build_seconds: p95Build,
    lead_count: lead.values.length,
    average_lead_seconds: averageOf(lead),
    median_lead_seconds: medianLead,
    p95_lead_seconds: p95Lead,
  }
}

/** What the summary shows of all services together; the other figures take longer. */
export function headlineOf(
  deployments: Deployments,
  span: Span,
): Pick<DeploymentSums, 'total' | 'succeeded' | 'failed' | 'average_build_seconds' | 'median_lead_seconds'> {
  const { total, statuses: counts, build, lead } = tallyAll(deployments, span)
  const [, succeeded, failed, rolledBack] = counts
  return {
    total,
    succeeded,
    failed: failed + rolledBack,
    average_build_seconds: averageOf(build),
    median_lead_seconds: percentiles(lead.values, 0.5)[0] ?? null,
  }
}

export interface DeploymentDay {
  date: string
  succeeded: number
  failed: number
}

/** Every day, also those without a deployment. */
export function deploymentsPerDay(
  deployments: Deployments,
  span: Span,
  days: readonly ZoneDay[],
): DeploymentDay[] {
  const starts = days.map(({ start }) => start)
  const counts = countBetween(deployments, borders(span, starts))
  return days.map(({ date }, n) => ({ date, ...counts[n]! }))
}

export interface DeploymentHour {
  at: string
  succeeded: number
  failed: number
}

/** Every hour of `starts`. */
export function deploymentsPerHour(
  deployments: Deployments,
  span: Span,
  starts: readonly number[],
): DeploymentHour[] {
  const counts = countBetween(deployments, borders(span, starts))
  return starts.map((start, n) => ({ at: new Date(start).toISOString(), ...counts[n]! }))
}

/** Between each two borders. */
function countBetween(
  { days }: Deployments,
  times: readonly number[],
): { succeeded: number; failed: number }[] {
  const counts = times.slice(1).map(() => ({ succeeded: 0, failed: 0 }))
  for (const { step, day, first, last } of stretches(days, times)) {
    const { lane, laneOf, status } = day
    let [succeeded, failed] = [0, 0]
    for (let place = first; place < last; place++) {
      if (laneOf[lane[place]!]! < 0) continue
      if (status[place] === statuses.succeeded) succeeded++
      else if (status[place] !== statuses.started) failed++
    }
    counts[step]!.succeeded += succeeded
    counts[step]!.failed += failed
  }
  return counts
}
