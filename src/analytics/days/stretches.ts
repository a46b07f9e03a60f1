import { dayMs, type UnpackedDay } from './read-days.ts'

/** Records of one day, from the place `first` up to and without `last`, that lie between two borders. */
export interface Stretch<Day> {
  /** Which border they follow. */
  step: number
  day: Day
  first: number
  last: number
}

/**
 * Cuts days at borders, both in the order of time, so that sums are made of the days as they are kept and nothing is
 * copied. Only stretches with records; those before the first border and from the last one on are left out.
 */
export function* stretches<Day extends UnpackedDay>(
  days: readonly Day[],
  borders: readonly number[],
): Generator<Stretch<Day>> {
  let step = 0
  for (const day of days) {
    let first = placeOf(day, borders[step] ?? Infinity)
    while (step < borders.length - 1) {
      const end = borders[step + 1]!
      const last = placeOf(day, end)
      if (last > first) yield { step, day, first, last }
      first = Math.max(first, last)
      if (end >= day.start + dayMs) break
      step++
    }
  }
}

/** The first place whose time is not before the given one. */
export function placeOf({ start, times }: UnpackedDay, time: number): number {
  if (time <= start) return 0
  if (time >= start + dayMs) return times.length
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (start + times[middle]! < time) low = middle + 1
    else high = middle
  }
  return low
}

/** How many records lie between each two borders. */
export function countBetween(days: readonly UnpackedDay[], borders: readonly number[]): number[] {
  const counts = Array.from({ length: Math.max(0, borders.length - 1) }, () => 0)
  for (const { step, first, last } of stretches(days, borders)) counts[step]! += last - first
  return counts
}
