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
