import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import { invalidField, type Fault } from '#kernel/errors'

/** Lists are read page by page, after the last row of the page before. The schemas are browser-safe. */

/** A whole number in an address. */
export function whole(minimum: number, maximum: number) {
  const text = `must be a whole number from ${minimum} to ${maximum}`
  return z
    .string()
    .regex(/^\d{1,15}$/, text)
    .transform(Number)
    .refine((n) => n >= minimum && n <= maximum, text)
}

export const limit = (maximum: number, usual = 50) =>
  whole(1, maximum)
    .prefault(String(usual))
    .meta({ description: `How many to return at most, from 1 to ${maximum}. Defaults to ${usual}.` })

const notACursor = 'must be the next_cursor of a page'

export const cursor = z
  .string()
  .max(200, notACursor)
  .optional()
  .meta({ description: 'The `next_cursor` of the page before.' })

export const groupId = { group_id: z.uuid().optional() }

/** The parameters of every list. */
export const paging = (maximum: number, usual = 50) => ({ limit: limit(maximum, usual), cursor, ...groupId })

export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: 'Returns the next page as `cursor`; null on the last one.', examples: [null] })

/** The response of every list. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), next_cursor: nextCursor })

/** One row more than wanted was read, to see whether there is another page. */
export function cutPage<Row, Item = Row>(
  rows: readonly Row[],
  size: number,
  cursorOf: (last: Row) => string,
  toItem: (row: Row) => Item = (row) => row as unknown as Item,
): { data: Item[]; next_cursor: string | null } {
  const last = rows.length > size ? rows[size - 1] : undefined
  return {
    data: rows.slice(0, size).map(toItem),
    next_cursor: last === undefined ? null : cursorOf(last),
  }
}

export const badCursor = (): Fault => invalidField('cursor', notACursor)

/** A row of a list that is sorted by a time, and by the ID where times are equal. */
export interface Place {
  at: Date
  id: string
}

export const placeCursor = (at: Date, id: string): string => `${at.getTime().toString(36)}.${id}`

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function readPlace(text: string | undefined, ids = uuid): Place | undefined {
  if (text === undefined) return undefined
  const [, at, id] = /^([0-9a-z]{1,9})\.(.+)$/s.exec(text) ?? []
  if (at === undefined || id === undefined || !ids.test(id)) throw badCursor()
  return { at: new Date(Number.parseInt(at, 36)), id }
}

/** Rows behind a place in a list with the newest first. */
export const olderThan = (time: string, id: string, { at, id: last }: Place): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(time)}, ${sql.ref(id)}) < (${at}::timestamptz, ${last}::uuid)`

/** A cursor that is one number, such as a sequence. */
export function readNumber(text: string | undefined): string | undefined {
  if (text !== undefined && !/^\d{1,18}$/.test(text)) throw badCursor()
  return text
}

/** The cursor of a list that each page sorts again: how many rows come before. */
export function readOffset(text: string | undefined, maximum: number): number {
  const offset = Number(readNumber(text) ?? 0)
  if (offset > maximum) throw badCursor()
  return offset
}
