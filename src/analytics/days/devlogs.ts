import type { Queryable } from '../queries/query.ts'
import { readDays, recordBytes, type Span } from './read-days.ts'
import { lengthOf, timesOf } from './tickets.ts'

/** Devlogs of whole UTC days, in the order of time. */
export interface Devlogs {
  at: Float64Array
  /** The place in `services`. */
  service: Uint32Array
  isAi: Uint8Array
  /** Null: of no service. */
  services: (string | null)[]
}

export async function readDevlogs(db: Queryable, groupId: string, span: Span): Promise<Devlogs> {
  const days = await readDays(db, 'devlogs', groupId, span)
  const length = lengthOf(days, recordBytes.devlogs)
  const service = new Uint32Array(length)
  const isAi = new Uint8Array(length)
  const services: (string | null)[] = [null]
  const known = new Map<string, number>()
  const placeOf = (name: string | undefined): number => {
    if (name === undefined) return 0
    const found = known.get(name) ?? services.push(name) - 1
    known.set(name, found)
    return found
  }
  let n = 0
  let names: { of: unknown; places: number[] } = { of: undefined, places: [] }
  const at = timesOf(days, recordBytes.devlogs, (view, place, day) => {
    if (names.of !== day) names = { of: day, places: day.services.map(placeOf) }
    service[n] = names.places[view.getInt32(place + 4)] ?? 0
    isAi[n++] = view.getInt16(place + 8)
  })
  return { at, service, isAi, services }
}
