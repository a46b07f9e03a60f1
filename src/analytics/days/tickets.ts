import type { Queryable } from '../queries/query.ts'
import { unpackTimes, viewOf } from './columns.ts'
import { readDays, recordBytes, type PackedDay, type Span, type UnpackedDay } from './read-days.ts'

/** Tickets by when they were created and when they were closed. Whole UTC days, in the order of time. */
export interface Tickets {
  created: UnpackedDay[]
  closed: ClosedDay[]
}

export interface ClosedDay extends UnpackedDay {
  /** 1 for completed, 0 for cancelled. */
  isCompleted: Uint8Array
  /** Hours from creation and from the start of the work; NaN where they are not known. */
  resolution: Float64Array
  cycle: Float64Array
}

export async function readTickets(db: Queryable, groupId: string, span: Span): Promise<Tickets> {
  const [created, closed] = await Promise.all([
    readDays(db, 'tickets_created', groupId, span, unpackCreated),
    readClosedTickets(db, groupId, span),
  ])
  return { created, closed }
}

export const readClosedTickets = (db: Queryable, groupId: string, span: Span): Promise<ClosedDay[]> =>
  readDays(db, 'tickets_closed', groupId, span, unpackClosed)

const unpackCreated = (packed: PackedDay): UnpackedDay => unpackTimes(packed, recordBytes.tickets_created)

function unpackClosed(packed: PackedDay): ClosedDay {
  const unpacked = unpackTimes(packed, recordBytes.tickets_closed)
  const count = unpacked.times.length
  const [isCompleted, resolution, cycle] = [
    new Uint8Array(count),
    new Float64Array(count),
    new Float64Array(count),
  ]
  const view = viewOf(packed)
  for (let n = 0; n < count; n++) {
    const place = n * recordBytes.tickets_closed
    isCompleted[n] = view.getInt16(place + 4)
    resolution[n] = view.getFloat64(place + 6)
    cycle[n] = view.getFloat64(place + 14)
  }
  return { ...unpacked, isCompleted, resolution, cycle }
}
