import { dayMs, type PackedDay, type UnpackedDay } from './read-days.ts'

export const viewOf = ({ records }: PackedDay): DataView =>
  new DataView(records.buffer, records.byteOffset, records.length)

/** Every record begins with its time. */
export function unpackTimes(packed: PackedDay, recordBytes: number): UnpackedDay {
  const view = viewOf(packed)
  const times = new Int32Array(view.byteLength / recordBytes)
  for (let n = 0; n < times.length; n++) times[n] = view.getInt32(n * recordBytes)
  return { start: packed.day * dayMs, times }
}

export function countOf(days: readonly UnpackedDay[]): number {
  return days.reduce((sum, { times }) => sum + times.length, 0)
}

/** Milliseconds since 1970. */
export function joinTimes(days: readonly UnpackedDay[]): Float64Array {
  const joined = new Float64Array(countOf(days))
  let first = 0
  for (const { start, times } of days) {
    for (let n = 0; n < times.length; n++) joined[first + n] = start + times[n]!
    first += times.length
  }
  return joined
}

/** Copies a column of every day into one that is long enough for all. */
export function join<Day extends UnpackedDay, Column extends Float64Array | Uint8Array>(
  days: readonly Day[],
  joined: Column,
  columnOf: (day: Day) => Column,
): Column {
  let first = 0
  for (const day of days) {
    joined.set(columnOf(day), first)
    first += day.times.length
  }
  return joined
}
