import { useState } from 'react'

/** What a row is sorted by in a column. Rows without a value come last. */
export type SortValue = string | number | null | undefined
export type SortValues<Row> = Record<string, (row: Row) => SortValue>

interface Order {
  column: string
  isDescending: boolean
}

/** What the head of a table needs to offer an order. */
export interface Sorting {
  columns: ReadonlySet<string>
  order: Order | undefined
  choose(column: string): void
}

/**
 * The rows that are shown, in the order that the reader has chosen: one click sorts by a column, the next turns the
 * order round, the third brings back the order of the server.
 */
export function useSorted<Row>(rows: readonly Row[], values: SortValues<Row>) {
  const [order, setOrder] = useState<Order>()
  const choose = (column: string) =>
    setOrder((before) => nextOrder(before, column, startsDown(rows, values[column])))
  const sorting: Sorting = { columns: new Set(Object.keys(values)), order, choose }
  return { sorted: order ? sortRows(rows, values[order.column], order.isDescending) : [...rows], sorting }
}

/** Numbers and times begin with the largest, names with A. */
function startsDown<Row>(rows: readonly Row[], valueOf: SortValues<Row>[string] | undefined): boolean {
  return rows.some((row) => typeof valueOf?.(row) === 'number')
}

export function nextOrder(before: Order | undefined, column: string, startsDown: boolean): Order | undefined {
  if (before?.column !== column) return { column, isDescending: startsDown }
  return before.isDescending === startsDown ? { column, isDescending: !startsDown } : undefined
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

export function sortRows<Row>(
  rows: readonly Row[],
  valueOf: SortValues<Row>[string] | undefined,
  isDescending: boolean,
): Row[] {
  if (!valueOf) return [...rows]
  const isMissing = (value: SortValue) => value === null || value === undefined || value === ''
  return rows.toSorted((one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)]
    if (isMissing(a) || isMissing(b)) return Number(isMissing(a)) - Number(isMissing(b))
    const order =
      typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b))
    return isDescending ? -order : order
  })
}

/** A time as a value to sort by. */
export const timeValue = (time: string | null | undefined): number | null =>
  time === null || time === undefined ? null : Date.parse(time)
