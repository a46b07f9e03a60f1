import { leftOut, statuses, type ChosenDay, type Deployments, type Lane } from '../days/deployments.ts'
import { percentile } from '../days/percentile.ts'
import { dayMs, type Span } from '../days/read-days.ts'
import { countBetween, placeOf, stretches } from '../days/stretches.ts'

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
 * incidents are closed, or else with the next success. The days reach 24 hours beyond the spans.
 */
export function sumDelivery<Spans extends readonly Span[]>(
  { days, lanes, span: { from, to } }: Deployments,
  spans: Spans,
  { isCounted, blamed, next }: DeliveryFacts,
): { [n in keyof Spans]: DeliverySums } {
  const tallies = spans.map((span) => ({ span, tally: emptyTally(countIn(days, span)) }))
  const incidents = incidentsOf(days, blamed)
  const isLaneCounted = lanes.map(isCounted)
  const after = followersOf(lanes, next)
  // From the last to the first: what follows in its lane is known when a deployment is counted.
  for (const { day, first, last } of [...stretches(days, [from, to])].toReversed()) {
    const laneOf = day.laneOf.map((lane) => (isLaneCounted[lane] ? lane : leftOut))
    const incidentsOfDay = incidents.get(day)
    for (let place = last - 1; place >= first; place--) {
      const lane = laneOf[day.lane[place]!]!
      if (lane === leftOut || day.status[place] === statuses.started) continue
      const at = day.start + day.times[place]!
      for (const { span, tally } of tallies)
        if (at >= span.from && at < span.to) count(tally, day, place, lane, after, incidentsOfDay?.get(place))
      follow(after, lane, day, place)
    }
  }
  return tallies.map(({ tally: { leads, leadCount, recoveries, ...sums } }) => ({
    ...sums,
    median_lead_seconds: percentile(leads.subarray(0, leadCount), 0.5),
    median_recovery_seconds: percentile(new Float64Array(recoveries), 0.5),
  })) as { [n in keyof Spans]: DeliverySums }
}

type Tally = ReturnType<typeof emptyTally>

function emptyTally(maxLeads: number) {
  const sums = { deployments: 0, succeeded: 0, failures: 0, unrecovered: 0, rework: 0 }
  return { ...sums, leads: new Float64Array(maxLeads), leadCount: 0, recoveries: [] as number[] }
}

const countIn = (days: readonly ChosenDay[], { from, to }: Span): number => countBetween(days, [from, to])[0]!

function count(
  tally: Tally,
  day: ChosenDay,
  place: number,
  lane: number,
  after: Followers,
  incident: BlamedDeployment | undefined,
): void {
  const isSuccess = day.status[place] === statuses.succeeded
  const at = day.start + day.times[place]!
  const lead = day.lead[place]!
  tally.deployments++
  if (isSuccess) tally.succeeded++
  if (day.isRework[place] || day.repairsIncident[place]) tally.rework++
  if (!Number.isNaN(lead)) tally.leads[tally.leadCount++] = lead
  if (isSuccess && !incident && after.reworkStartedAt[lane]! > at + reworkMs) return
  tally.failures++
  const recovered = incident ? (incident.closedAt ?? Infinity) : successAfter(after, lane, at)
  if (recovered === Infinity) tally.unrecovered++
  else tally.recoveries.push(Math.max(0, recovered - at) / 1_000)
}

const keyOf = ({ service, environment }: Lane): string => `${service}\0${environment}`

/** Those that incidents name, by day and place. Deployments of the same time are told apart by their marks. */
function incidentsOf(
  days: readonly ChosenDay[],
  blamed: readonly BlamedDeployment[],
): Map<ChosenDay, Map<number, BlamedDeployment>> {
  const byStart = new Map(days.map((day) => [day.start, day]))
  const found = new Map<ChosenDay, Map<number, BlamedDeployment>>()
  for (const incident of blamed) {
    const day = byStart.get(Math.floor(incident.finishedAt / dayMs) * dayMs)
    if (!day) continue
    const time = incident.finishedAt - day.start
    for (let place = placeOf(day, incident.finishedAt); day.times[place] === time; place++)
      if (day.mark[place] === incident.mark)
        found.set(day, (found.get(day) ?? new Map<number, BlamedDeployment>()).set(place, incident))
  }
  return found
}

/** What comes after a deployment in each lane. In arrays of numbers, which make no garbage. */
interface Followers {
  /** When the next one that ended began, if it is rework. */
  reworkStartedAt: Float64Array
  /** When the next success ended, and the first one that is later than it. */
  success: Float64Array
  laterSuccess: Float64Array
}

function followersOf(lanes: readonly Lane[], next: readonly NextSuccess[]): Followers {
  const later = new Map(next.map((each) => [keyOf(each), each.finishedAt]))
  const success = Float64Array.from(lanes, (lane) => later.get(keyOf(lane)) ?? Infinity)
  return {
    reworkStartedAt: new Float64Array(lanes.length).fill(Infinity),
    success,
    laterSuccess: success.slice(),
  }
}

/** A success at the same time is not after it. */
const successAfter = ({ success, laterSuccess }: Followers, lane: number, at: number): number =>
  success[lane]! > at ? success[lane]! : laterSuccess[lane]!

/** This deployment follows the one before it. */
function follow(after: Followers, lane: number, day: ChosenDay, place: number): void {
  const at = day.start + day.times[place]!
  if (day.status[place] === statuses.succeeded) {
    after.laterSuccess[lane] = successAfter(after, lane, at)
    after.success[lane] = at
  }
  const startedAt = at - Math.round(day.build[place]! * 1_000)
  after.reworkStartedAt[lane] = day.isRework[place] && !Number.isNaN(startedAt) ? startedAt : Infinity
}
