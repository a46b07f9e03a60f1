import type { Queryable } from '../queries/query.ts'
import { countOf, unpackTimes, viewOf } from './columns.ts'
import { readDays, recordBytes, type PackedDay, type Span, type UnpackedDay } from './read-days.ts'

/** A service and one of its environments: deployments follow each other there. */
export interface Lane {
  service: string
  environment: string
}

export const statuses = { started: 0, succeeded: 1, failed: 2, rolledBack: 3 } as const

/** Deployments in the order of their time, a column for each fact. */
export interface Deployments {
  count: number
  /** When it ended; when it began, while it runs. Milliseconds. */
  at: Float64Array
  lane: Uint32Array
  /** Of `statuses`. */
  status: Uint8Array
  isRework: Uint8Array
  repairsIncident: Uint8Array
  /** Seconds; NaN where it is not known. */
  build: Float64Array
  lead: Float64Array
  /** The end of its id. */
  mark: Uint32Array
  lanes: Lane[]
}

export interface DeploymentsOf {
  groupId: string
  service: string | undefined
  isOfEnvironment(environment: string): boolean
}

export async function readDeployments(
  db: Queryable,
  { groupId, service, isOfEnvironment }: DeploymentsOf,
  span: Span,
): Promise<Deployments> {
  const days = await readDays(db, 'deployments', groupId, span, unpackDeployments)
  const length = countOf(days)
  const columns: Deployments = { count: 0, at: new Float64Array(length), ...emptyFacts(length), lanes: [] }
  const known = new Map<string, Map<string, number>>()
  const laneOf = ({ service: name, environment }: Lane): number => {
    const ofService = known.get(name) ?? new Map<string, number>()
    const found = ofService.get(environment)
    if (found !== undefined) return found
    const isChosen = (service === undefined || name === service) && isOfEnvironment(environment)
    const lane = isChosen ? columns.lanes.push({ service: name, environment }) - 1 : leftOut
    known.set(name, ofService.set(environment, lane))
    return lane
  }
  for (const day of days) append(columns, day, Int32Array.from(day.lanes, laneOf), span)
  return columns
}

const leftOut = -1

type Facts = Omit<Deployments, 'count' | 'at' | 'lanes'>

function emptyFacts(length: number): Facts {
  return {
    lane: new Uint32Array(length),
    status: new Uint8Array(length),
    isRework: new Uint8Array(length),
    repairsIncident: new Uint8Array(length),
    build: new Float64Array(length),
    lead: new Float64Array(length),
    mark: new Uint32Array(length),
  }
}

/** Those of the span, and of lanes that are not left out. */
function append(columns: Deployments, day: DeploymentsDay, lanes: Int32Array, { from, to }: Span): void {
  const { start, times, lane: laneOfDay, status, isRework, repairsIncident, build, lead, mark } = day
  for (let place = 0; place < times.length; place++) {
    const at = start + times[place]!
    const lane = lanes[laneOfDay[place]!]!
    if (lane === leftOut || at < from || at >= to) continue
    const n = columns.count++
    columns.at[n] = at
    columns.lane[n] = lane
    columns.status[n] = status[place]!
    columns.isRework[n] = isRework[place]!
    columns.repairsIncident[n] = repairsIncident[place]!
    columns.build[n] = build[place]!
    columns.lead[n] = lead[place]!
    columns.mark[n] = mark[place]!
  }
}

type DeploymentsDay = UnpackedDay & Facts & Pick<Deployments, 'lanes'>

function unpackDeployments(packed: PackedDay): DeploymentsDay {
  const unpacked = unpackTimes(packed, recordBytes.deployments)
  const facts = emptyFacts(unpacked.times.length)
  const view = viewOf(packed)
  for (let n = 0; n < unpacked.times.length; n++) {
    const place = n * recordBytes.deployments
    const flags = view.getInt16(place + 8)
    facts.lane[n] = view.getInt32(place + 4)
    facts.status[n] = flags & 3
    facts.isRework[n] = (flags >> 2) & 1
    facts.repairsIncident[n] = (flags >> 3) & 1
    facts.build[n] = view.getFloat64(place + 10)
    facts.lead[n] = view.getFloat64(place + 18)
    facts.mark[n] = view.getUint32(place + 26)
  }
  const lanes = packed.services.map((service, n) => ({ service, environment: packed.environments[n] ?? '' }))
  return { ...unpacked, ...facts, lanes }
}
