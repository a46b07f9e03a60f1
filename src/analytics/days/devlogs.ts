import type { Queryable } from '../queries/query.ts'
import { countOf, join, joinTimes, unpackTimes, viewOf } from './columns.ts'
import { readDays, recordBytes, type PackedDay, type Span, type UnpackedDay } from './read-days.ts'

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
  const days = await readDays(db, 'devlogs', groupId, span, unpackDevlogs)
  const count = countOf(days)
  const service = new Uint32Array(count)
  const services: (string | null)[] = [null]
  const known = new Map<string, number>()
  const placeOf = (name: string): number => {
    const found = known.get(name) ?? services.push(name) - 1
    known.set(name, found)
    return found
  }
  let first = 0
  for (const { names, name } of days) {
    const places = [0, ...names.map(placeOf)]
    for (let n = 0; n < name.length; n++) service[first + n] = places[name[n]!]!
    first += name.length
  }
  return {
    at: joinTimes(days),
    service,
    isAi: join(days, new Uint8Array(count), (day) => day.isAi),
    services,
  }
}

interface DevlogsDay extends UnpackedDay {
  names: string[]
  /** 0 for no service, else the place in `names` plus one. */
  name: Uint32Array
  isAi: Uint8Array
}

function unpackDevlogs(packed: PackedDay): DevlogsDay {
  const unpacked = unpackTimes(packed, recordBytes.devlogs)
  const name = new Uint32Array(unpacked.times.length)
  const isAi = new Uint8Array(unpacked.times.length)
  const view = viewOf(packed)
  for (let n = 0; n < name.length; n++) {
    name[n] = view.getInt32(n * recordBytes.devlogs + 4) + 1
    isAi[n] = view.getInt16(n * recordBytes.devlogs + 8)
  }
  return { ...unpacked, names: packed.services, name, isAi }
}
