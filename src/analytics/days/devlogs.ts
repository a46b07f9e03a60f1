import type { Queryable } from '../queries/query.ts'
import { unpackTimes, viewOf } from './columns.ts'
import { readDays, recordBytes, type PackedDay, type Span, type UnpackedDay } from './read-days.ts'

/** Devlogs of whole UTC days, in the order of time. */
export interface Devlogs {
  days: ServicesDay[]
  /** Null: of no service. */
  services: (string | null)[]
}

/** A day as it is kept, and what its services are called in all days. */
export interface ServicesDay extends DevlogsDay {
  /** For each service of the day its place among all. */
  serviceOf: number[]
}

interface DevlogsDay extends UnpackedDay {
  /** Null comes first. */
  servicesOfDay: (string | null)[]
  /** The place in `servicesOfDay`. */
  service: Uint32Array
  isAi: Uint8Array
}

export async function readDevlogs(db: Queryable, groupId: string, span: Span): Promise<Devlogs> {
  const days = await readDays(db, 'devlogs', groupId, span, unpackDevlogs)
  const services: (string | null)[] = []
  const known = new Map<string | null, number>()
  const placeOf = (name: string | null): number => {
    const found = known.get(name)
    if (found !== undefined) return found
    known.set(name, services.length)
    return services.push(name) - 1
  }
  return {
    days: days.map((day) => ({ ...day, serviceOf: day.servicesOfDay.map(placeOf) })),
    services,
  }
}

function unpackDevlogs(packed: PackedDay): DevlogsDay {
  const unpacked = unpackTimes(packed, recordBytes.devlogs)
  const service = new Uint32Array(unpacked.times.length)
  const isAi = new Uint8Array(unpacked.times.length)
  const view = viewOf(packed)
  for (let n = 0; n < service.length; n++) {
    service[n] = view.getInt32(n * recordBytes.devlogs + 4) + 1
    isAi[n] = view.getInt16(n * recordBytes.devlogs + 8)
  }
  return { ...unpacked, servicesOfDay: [null, ...packed.services], service, isAi }
}
