import { statuses, type Deployments, type Lane } from '../days/deployments.ts'
import { dayMs, type Span } from '../days/read-days.ts'
import { percentile } from '../days/percentile.ts'
import { lowerBound } from './deployments.ts'

export interface DeliverySums {
  deployments: number
  succeeded: number
  failures: number
  unrecovered: number
  rework: number
  median_lead_seconds: number | null
  median_recovery_seconds: number | null
}

/** The incidents of a deployment; `closedAt` is null while one of them is open. */
export interface BlamedDeployment {
  finishedAt: number
  /** The end of its id. */
  mark: number
  closedAt: number | null
}

/** The first success of a lane after what was read. */
export interface NextSuccess extends Lane {
  finishedAt: number
}

export interface DeliveryFacts {
  isCounted(lane: Lane): boolean
  blamed: readonly BlamedDeployment[]
  next: readonly NextSuccess[]
}

/** How long after its predecessor a deployment that is rework makes a failure of it. */
export const reworkMs = dayMs

/**
 * The keys of DORA, for deployments that ended in each of the spans. A deployment failed if it did not succeed, caused
 * an incident, or the next one of the same lane is rework that began within 24 hours. It is recovered when its
 * incidents are closed, or else with the next success. The columns reach 24 hours beyond the spans.
 */
export function sumDelivery<Spans extends readonly Span[]>(
  columns: Deployments,
  spans: Spans,
  { isCounted, blamed, next }: DeliveryFacts,
): { [n in keyof Spans]: DeliverySums } {
  const tallies = spans.map((span) => ({ span, tally: emptyTally() }))
  const incidents = incidentsOf(columns, blamed)
  const later = new Map(next.map((each) => [keyOf(each), each.finishedAt]))
  const followers = columns.lanes.map((lane) =>
    isCounted(lane) ? nothingAfter(later.get(keyOf(lane)) ?? Infinity) : undefined,
  )
  // From the last to the first: what follows in its lane is known when a deployment is counted.
  for (let place = columns.count - 1; place >= 0; place--) {
    const after = followers[columns.lane[place]!]
    if (!after || columns.status[place] === statuses.started) continue
    const at = columns.at[place]!
    for (const { span, tally } of tallies)
      if (at >= span.from && at < span.to) count(tally, columns, place, after, incidents.get(place))
    if (columns.status[place] === statuses.succeeded) addSuccess(after, at)
    after.place = place
  }
  return tallies.map(({ tally: { leads, recoveries, ...sums } }) => ({
    ...sums,
    median_lead_seconds: percentile(new Float64Array(leads), 0.5),
    median_recovery_seconds: percentile(new Float64Array(recoveries), 0.5),
  })) as { [n in keyof Spans]: DeliverySums }
}

type Tally = ReturnType<typeof emptyTally>

function emptyTally() {
  const sums = { deployments: 0, succeeded: 0, failures: 0, unrecovered: 0, rework: 0 }
  return { ...sums, leads: [] as number[], recoveries: [] as number[] }
}

function count(
  tally: Tally,
  columns: Deployments,
  place: number,
  after: Followers,
  incident: BlamedDeployment | undefined,
): void {
  const isSuccess = columns.status[place] === statuses.succeeded
  const at = columns.at[place]!
  const lead = columns.lead[place]!
  tally.deployments++
  if (isSuccess) tally.succeeded++
  if (columns.isRework[place] || columns.repairsIncident[place]) tally.rework++
  if (!Number.isNaN(lead)) tally.leads.push(lead)
  if (isSuccess && !incident && !isReworked(columns, at, after.place)) return
  tally.failures++
  const recovered = incident ? (incident.closedAt ?? Infinity) : successAfter(after, at)
  if (recovered === Infinity) tally.unrecovered++
  else tally.recoveries.push(Math.max(0, recovered - at) / 1_000)
}

const keyOf = ({ service, environment }: Lane): string => `${service}\0${environment}`

/** Those that incidents name, by their place. Deployments of the same time are told apart by their marks. */
function incidentsOf(
  { at, count: length, mark }: Deployments,
  blamed: readonly BlamedDeployment[],
): Map<number, BlamedDeployment> {
  const times = at.subarray(0, length)
  const found = new Map<number, BlamedDeployment>()
  for (const incident of blamed)
    for (let place = lowerBound(times, incident.finishedAt); times[place] === incident.finishedAt; place++)
      if (mark[place] === incident.mark) found.set(place, incident)
  return found
}

/** What comes after a deployment in its lane. */
interface Followers {
  /** The next one that ended; -1 without one. */
  place: number
  /** When the next success ended, and the first one that is later than it. */
  success: number
  laterSuccess: number
}

const nothingAfter = (success: number): Followers => ({ place: -1, success, laterSuccess: success })

/** A success at the same time is not after it. */
const successAfter = ({ success, laterSuccess }: Followers, at: number): number =>
  success > at ? success : laterSuccess

function addSuccess(after: Followers, at: number): void {
  after.laterSuccess = successAfter(after, at)
  after.success = at
}

function isReworked(columns: Deployments, finishedAt: number, next: number): boolean {
  if (next === -1 || !columns.isRework[next]) return false
  const startedAt = columns.at[next]! - Math.round(columns.build[next]! * 1_000)
  return startedAt <= finishedAt + reworkMs
}
