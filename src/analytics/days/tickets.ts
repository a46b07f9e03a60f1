import type { Queryable } from '../queries/query.ts'
import { dayMs, readDays, recordBytes, type PackedDay, type Span } from './read-days.ts'

/** Tickets by when they were created and when they were closed. Whole UTC days, in the order of time. */
export interface Tickets {
  created: Float64Array
  closed: Float64Array
  /** Of the closed ones: 1 for completed, 0 for cancelled. */
  isCompleted: Uint8Array
  /** Hours from creation and from the start of the work; NaN where they are not known. */
  resolution: Float64Array
  cycle: Float64Array
}

export async function readTickets(db: Queryable, groupId: string, span: Span): Promise<Tickets> {
  const [created, closed] = await Promise.all([
    readDays(db, 'tickets_created', groupId, span),
    readDays(db, 'tickets_closed', groupId, span),
  ])
  const length = lengthOf(closed, recordBytes.tickets_closed)
  const isCompleted = new Uint8Array(length)
  const resolution = new Float64Array(length)
  const cycle = new Float64Array(length)
  let n = 0
  const closedAt = timesOf(closed, recordBytes.tickets_closed, (view, place) => {
    isCompleted[n] = view.getInt16(place + 4)
    resolution[n] = view.getFloat64(place + 6)
    cycle[n++] = view.getFloat64(place + 14)
  })
  return {
    created: timesOf(created, recordBytes.tickets_created),
    closed: closedAt,
    isCompleted,
    resolution,
    cycle,
  }
}

export const lengthOf = (days: readonly PackedDay[], bytes: number): number =>
  days.reduce((sum, { records }) => sum + records.length / bytes, 0)

/** Every record begins with its time. */
export function timesOf(
  days: readonly PackedDay[],
  bytes: number,
  readRest?: (view: DataView, place: number, day: PackedDay) => void,
): Float64Array {
  const times = new Float64Array(lengthOf(days, bytes))
  let n = 0
  for (const day of days) {
    const { buffer, byteOffset, length } = day.records
    const view = new DataView(buffer, byteOffset, length)
    for (let place = 0; place < length; place += bytes) {
      times[n++] = day.day * dayMs + view.getInt32(place)
      readRest?.(view, place, day)
    }
  }
  return times
}
