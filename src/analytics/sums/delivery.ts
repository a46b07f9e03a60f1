import { statuses, type Deployments, type Lane } from '../days/deployments.ts'
import { dayMs, type Span } from '../days/read-days.ts'
import { percentile } from '../days/percentile.ts'

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
  const incidentsAt = Map.groupBy(blamed, ({ finishedAt }) => finishedAt)
  const later = new Map(next.map((each) => [keyOf(each), each.finishedAt]))
  for (const [lane, places] of byLane(columns).entries()) {
    const name = columns.lanes[lane] ?? noLane
    if (!isCounted(name)) continue
    const recoveredAt = nextSuccess(columns, places, later.get(keyOf(name)) ?? Infinity)
    places.forEach((place, n) => {
      const at = columns.at[place] ?? 0
      const tally = tallies.find(({ span }) => at >= span.from && at < span.to)?.tally
      if (!tally) return
      const incident = incidentsAt.get(at)?.find(({ mark }) => mark === columns.mark[place])
      count(tally, columns, place)
      const isSuccess = columns.status[place] === statuses.succeeded
      if (isSuccess && !incident && !isReworked(columns, at, places[n + 1])) return
      tally.failures++
      const recovered = incident ? (incident.closedAt ?? Infinity) : (recoveredAt[n] ?? Infinity)
      if (recovered === Infinity) tally.unrecovered++
      else tally.recoveries.push(Math.max(0, recovered - at) / 1_000)
    })
  }
  return tallies.map(({ tally: { leads, recoveries, ...sums } }) => ({
    ...sums,
    median_lead_seconds: percentile(Float64Array.from(leads), 0.5),
    median_recovery_seconds: percentile(Float64Array.from(recoveries), 0.5),
  })) as { [n in keyof Spans]: DeliverySums }
}

type Tally = ReturnType<typeof emptyTally>

function emptyTally() {
  const sums = { deployments: 0, succeeded: 0, failures: 0, unrecovered: 0, rework: 0 }
  return { ...sums, leads: [] as number[], recoveries: [] as number[] }
}

function count(tally: Tally, columns: Deployments, place: number): void {
  tally.deployments++
  if (columns.status[place] === statuses.succeeded) tally.succeeded++
  if (columns.isRework[place] || columns.repairsIncident[place]) tally.rework++
  const lead = columns.lead[place] ?? NaN
  if (!Number.isNaN(lead)) tally.leads.push(lead)
}

const noLane: Lane = { service: '', environment: '' }
const keyOf = ({ service, environment }: Lane): string => `${service}\0${environment}`

/** Those that ended, of each lane, in order. */
function byLane(columns: Deployments): number[][] {
  const lanes: number[][] = columns.lanes.map(() => [])
  for (let place = 0; place < columns.count; place++)
    if (columns.status[place] !== statuses.started) lanes[columns.lane[place] ?? 0]?.push(place)
  return lanes
}

/** For each deployment, when the first success after it ended; one at the same time is not after it. */
function nextSuccess(columns: Deployments, places: readonly number[], beyond: number): number[] {
  const found: number[] = []
  let [next, following] = [beyond, beyond]
  for (let n = places.length - 1; n >= 0; n--) {
    const at = columns.at[places[n] ?? 0] ?? 0
    // `next` may be at the same time; `following` is later than it.
    found[n] = next > at ? next : following
    if (columns.status[places[n] ?? 0] !== statuses.succeeded) continue
    if (next > at) following = next
    next = at
  }
  return found
}

function isReworked(columns: Deployments, finishedAt: number, next: number | undefined): boolean {
  if (next === undefined || !columns.isRework[next]) return false
  const startedAt = (columns.at[next] ?? 0) - Math.round((columns.build[next] ?? 0) * 1_000)
  return startedAt <= finishedAt + reworkMs
}
