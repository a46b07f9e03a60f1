import { statuses, type Deployments } from '../days/deployments.ts'
import { average, percentiles } from '../days/percentile.ts'
import type { Span } from '../days/read-days.ts'
import type { ZoneDay } from '../days/zone.ts'

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
export function totalOf(columns: Deployments, span: Span): DeploymentSums {
  return sumOf(columns, null, placesIn(columns.at.subarray(0, columns.count), span))
}

/** Of the span: all together, then each service, those with most deployments first. */
export function sumDeployments(columns: Deployments, span: Span): DeploymentSums[] {
  const places = placesIn(columns.at.subarray(0, columns.count), span)
  const names = [...new Set(columns.lanes.map(({ service }) => service))]
  const serviceOf = columns.lanes.map(({ service }) => names.indexOf(service))
  const apart = divide(places, names.length, (place) => serviceOf[columns.lane[place] ?? 0] ?? 0)
  const largest = names
    .map((name, n) => [name, apart[n] ?? new Uint32Array()] as const)
    .filter(([, own]) => own.length > 0)
    .toSorted(([a, of], [b, others]) => others.length - of.length || (a < b ? -1 : 1))
    .slice(0, maxServices)
  return [sumOf(columns, null, places), ...largest.map(([service, own]) => sumOf(columns, service, own))]
}

/** The places of the times that lie in the span. Times are in order. */
export function placesIn(at: Float64Array, { from, to }: Span): Uint32Array {
  const first = lowerBound(at, from)
  const places = new Uint32Array(Math.max(0, lowerBound(at, to) - first))
  for (let n = 0; n < places.length; n++) places[n] = first + n
  return places
}

/** Divides places among so many parts, in order. */
function divide(places: Uint32Array, parts: number, partOf: (place: number) => number): Uint32Array[] {
  const lengths = new Uint32Array(parts)
  for (let n = 0; n < places.length; n++) lengths[partOf(places[n]!)]!++
  const divided = Array.from(lengths, (length) => new Uint32Array(length))
  lengths.fill(0)
  for (let n = 0; n < places.length; n++) {
    const part = partOf(places[n]!)
    divided[part]![lengths[part]!++] = places[n]!
  }
  return divided
}

/** The first place whose time is not before the given one. Times are in order. */
export function lowerBound(at: Float64Array, time: number): number {
  let [low, high] = [0, at.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((at[middle] ?? 0) < time) low = middle + 1
    else high = middle
  }
  return low
}

/** A deployment that was rolled back has failed. */
function sumOf(columns: Deployments, service: string | null, places: Uint32Array): DeploymentSums {
  const [running, succeeded, failed, rolledBack] = countStatuses(columns, places)
  const build = knownOf(columns.build, places)
  const lead = knownOf(columns.lead, places)
  const [medianBuild = null, p95Build = null] = percentiles(build, 0.5, 0.95)
  const [medianLead = null, p95Lead = null] = percentiles(lead, 0.5, 0.95)
  return {
    service,
    total: places.length,
    succeeded,
    failed: failed + rolledBack,
    rolled_back: rolledBack,
    running,
    average_build_seconds: average(build),
    median_build_seconds: medianBuild,
    p95_build_seconds: p95Build,
    lead_count: lead.length,
    average_lead_seconds: average(lead),
    median_lead_seconds: medianLead,
    p95_lead_seconds: p95Lead,
  }
}

/** How many are running, succeeded, failed and were rolled back. */
function countStatuses({ status }: Deployments, places: Uint32Array): [number, number, number, number] {
  const counts: [number, number, number, number] = [0, 0, 0, 0]
  for (let n = 0; n < places.length; n++) counts[status[places[n]!] as 0]++
  return counts
}

/** What the summary shows of all services together; the other figures take longer. */
export function headlineOf(
  columns: Deployments,
  span: Span,
): Pick<DeploymentSums, 'total' | 'succeeded' | 'failed' | 'average_build_seconds' | 'median_lead_seconds'> {
  const places = placesIn(columns.at.subarray(0, columns.count), span)
  const [, succeeded, failed, rolledBack] = countStatuses(columns, places)
  return {
    total: places.length,
    succeeded,
    failed: failed + rolledBack,
    average_build_seconds: average(knownOf(columns.build, places)),
    median_lead_seconds: percentiles(knownOf(columns.lead, places), 0.5)[0] ?? null,
  }
}

/** A copy without the values that are not known. */
export function knownOf(column: Float64Array, places: Uint32Array): Float64Array {
  const values = new Float64Array(places.length)
  let count = 0
  for (let n = 0; n < places.length; n++) {
    const value = column[places[n]!]!
    if (!Number.isNaN(value)) values[count++] = value
  }
  return values.subarray(0, count)
}

export interface DeploymentDay {
  date: string
  succeeded: number
  failed: number
}

/** Every day, also those without a deployment. */
export function deploymentsPerDay(
  columns: Deployments,
  span: Span,
  days: readonly ZoneDay[],
): DeploymentDay[] {
  const counts = countBetween(
    columns,
    borders(
      span,
      days.map(({ start }) => start),
    ),
  )
  return days.map(({ date }, n) => ({ date, ...(counts[n] ?? noDeployments) }))
}

export interface DeploymentHour {
  at: string
  succeeded: number
  failed: number
}

const hourMs = 3_600_000

/** Every hour of UTC. */
export function deploymentsPerHour(columns: Deployments, span: Span): DeploymentHour[] {
  const first = Math.floor(span.from / hourMs)
  const starts = Array.from({ length: Math.ceil(span.to / hourMs) - first }, (_, n) => (first + n) * hourMs)
  const counts = countBetween(columns, borders(span, starts))
  return starts.map((start, n) => ({ at: new Date(start).toISOString(), ...(counts[n] ?? noDeployments) }))
}

/** The times at which steps begin, and the end of the last one; the first begins with the span. */
export const borders = ({ from, to }: Span, starts: readonly number[]): number[] => [
  ...starts.map((start) => Math.max(from, start)),
  to,
]

const noDeployments = { succeeded: 0, failed: 0 }

/** Between each two borders. */
function countBetween(
  { at, count, status }: Deployments,
  times: readonly number[],
): (typeof noDeployments)[] {
  const places = placesOf(at.subarray(0, count), times)
  return places.slice(0, -1).map((first, n) => {
    const counts = { succeeded: 0, failed: 0 }
    for (let place = first; place < (places[n + 1] ?? 0); place++)
      if (status[place] === statuses.succeeded) counts.succeeded++
      else if (status[place] !== statuses.started) counts.failed++
    return counts
  })
}

/** For each time, how many of those in order come before it. */
export const placesOf = (at: Float64Array, times: readonly number[]): number[] =>
  times.map((time) => lowerBound(at, time))
