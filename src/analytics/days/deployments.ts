import type { Queryable } from '../queries/query.ts'
import { unpackTimes, viewOf } from './columns.ts'
import { readDays, recordBytes, type PackedDay, type Span, type UnpackedDay } from './read-days.ts'

/** A service and one of its environments: deployments follow each other there. */
export interface Lane {
  service: string
  environment: string
}

export const statuses = { started: 0, succeeded: 1, failed: 2, rolledBack: 3 } as const

/** Deployments of a span, in the order of their time. */
export interface Deployments {
  days: ChosenDay[]
  span: Span
  lanes: Lane[]
}

/** A day as it is kept, whole, and which of its deployments are meant. */
export interface ChosenDay extends DeploymentsDay {
  /** For each lane of the day its place among all; `leftOut` for those of other services and environments. */
  laneOf: number[]
}

export const leftOut = -1

/** A column for each fact. */
interface Facts {
  /** The place in the lanes of the day. */
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
}

/** The time is when it ended; when it began, while it runs. */
type DeploymentsDay = UnpackedDay & Facts & { lanesOfDay: Lane[] }

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
  const lanes: Lane[] = []
  const byName = new Map<string, number>()
  const choose = ({ service: name, environment }: Lane): number => {
    const key = keyOf(name, environment)
    const found = byName.get(key)
    if (found !== undefined) return found
    const isChosen = (service === undefined || name === service) && isOfEnvironment(environment)
    const place = isChosen ? lanes.push({ service: name, environment }) - 1 : leftOut
    byName.set(key, place)
    return place
  }
  // Nearly always the days share the object of a lane, which is found faster than its names.
  const known = new Map<Lane, number>()
  const placeOf = (lane: Lane): number => {
    const found = known.get(lane)
    if (found !== undefined) return found
    const place = choose(lane)
    known.set(lane, place)
    return place
  }
  return { days: days.map((day) => ({ ...day, laneOf: day.lanesOfDay.map(placeOf) })), span, lanes }
}

const keyOf = (service: string, environment: string): string => `${service}\0${environment}`

const maxShared = 20_000
const shared = new Map<string, Lane>()

/** One object for the same lane of many days. */
function share(service: string, environment: string): Lane {
  const key = keyOf(service, environment)
  const found = shared.get(key)
  if (found) return found
  if (shared.size === maxShared) shared.clear()
  const lane = { service, environment }
  shared.set(key, lane)
  return lane
}

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
  const lanesOfDay = packed.services.map((service, n) => share(service, packed.environments[n] ?? ''))
  return { ...unpacked, ...facts, lanesOfDay }
}
