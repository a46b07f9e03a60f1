import type { Queryable } from '../queries/query.ts'
import { dayMs, readDays, recordBytes, type Span } from './read-days.ts'

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
  const days = await readDays(db, 'deployments', groupId, span)
  const bytes = days.reduce((sum, { records }) => sum + records.length, 0)
  const columns = emptyColumns(bytes / recordBytes.deployments)
  const known = new Map<string, Map<string, number>>()
  const laneOf = (name: string, environment: string): number => {
    const ofService = known.get(name) ?? new Map<string, number>()
    const found = ofService.get(environment)
    if (found !== undefined) return found
    const isChosen = (service === undefined || name === service) && isOfEnvironment(environment)
    const lane = isChosen ? columns.lanes.push({ service: name, environment }) - 1 : leftOut
    known.set(name, ofService.set(environment, lane))
    return lane
  }
  for (const { day, services, environments, records } of days) {
    const lanes = services.map((name, place) => laneOf(name, environments[place] ?? ''))
    append(columns, records, day * dayMs, lanes, span)
  }
  return columns
}

const leftOut = -1

function emptyColumns(length: number): Deployments {
  return {
    count: 0,
    at: new Float64Array(length),
    lane: new Uint32Array(length),
    status: new Uint8Array(length),
    isRework: new Uint8Array(length),
    repairsIncident: new Uint8Array(length),
    build: new Float64Array(length),
    lead: new Float64Array(length),
    mark: new Uint32Array(length),
    lanes: [],
  }
}

function append(
  columns: Deployments,
  records: Buffer,
  start: number,
  lanes: readonly number[],
  { from, to }: Span,
): void {
  const view = new DataView(records.buffer, records.byteOffset, records.length)
  for (let place = 0; place < records.length; place += recordBytes.deployments) {
    const at = start + view.getInt32(place)
    const lane = lanes[view.getInt32(place + 4)] ?? leftOut
    if (lane === leftOut || at < from || at >= to) continue
    const flags = view.getInt16(place + 8)
    const n = columns.count++
    columns.at[n] = at
    columns.lane[n] = lane
    columns.status[n] = flags & 3
    columns.isRework[n] = (flags >> 2) & 1
    columns.repairsIncident[n] = (flags >> 3) & 1
    columns.build[n] = view.getFloat64(place + 10)
    columns.lead[n] = view.getFloat64(place + 18)
    columns.mark[n] = view.getUint32(place + 26)
  }
}
