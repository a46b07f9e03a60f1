import { isObject } from '../json.ts'

/** Up to where the records of a kind were taken, which are ordered by the time of their change and then by their ids. */
export interface Mark {
  time: number
  /** The records of that time up to this one were taken. */
  id?: string
  /** Those behind it that were taken: more may be written with that time, before them too. */
  ids: string[]
}

export type Marks = Record<string, Mark>

export const start: Mark = { time: 0, ids: [] }

/** How much later a record may be written with the time of another. */
const writtenMs = 60_000
/** A migration gives all records one time, and an archive accepts a cursor of 100,000 characters. */
const maxIds = 500

/** A snapshot's cursor as it was stored; a broken one reads everything again, which changes nothing. */
export function marksOf(cursor: unknown): Marks {
  return isObject(cursor) ? (structuredClone(cursor) as Marks) : {}
}

interface Changed {
  id: string
  time: number
}

/** The mark behind records that were taken, the first ones behind the mark. */
export function advanced(mark: Mark = start, taken: readonly Changed[]): Mark {
  const last = taken.at(-1)
  if (last === undefined) return mark
  const { time, id } = last
  const known = time === mark.time ? mark : start
  const ids = [...known.ids, ...taken.filter((each) => each.time === time).map((each) => each.id)]
  if (time < Date.now() - writtenMs || ids.length > maxIds) return { time, id, ids: [] }
  return { ...known, time, ids }
}
