import { isObject } from '../json.ts'

/** The newest change seen of a kind of record, and the records that changed at that time. */
export interface Mark {
  time: number
  ids: string[]
}

export type Marks = Record<string, Mark>

/** A snapshot's cursor as it was stored; a broken one reads everything again, which changes nothing. */
export function marksOf(cursor: unknown): Marks {
  return isObject(cursor) ? (structuredClone(cursor) as Marks) : {}
}

interface Changed {
  id: string
  time: number
}

/** The mark behind records that were taken, whose times are not before the mark's. */
export function advanced(mark: Mark = { time: 0, ids: [] }, taken: readonly Changed[]): Mark {
  const time = taken.reduce((newest, each) => Math.max(newest, each.time), mark.time)
  const ids = taken.filter((each) => each.time === time).map(({ id }) => id)
  return { time, ids: time === mark.time ? [...mark.ids, ...ids] : ids }
}
