import type { ConsoleEvent } from '#console/contract'

/** A line of the list. Ids are ordered by time, and so is the list: newest first. */
export type Row = EventRow | GapRow

export interface EventRow {
  kind: 'event'
  key: string
  event: ConsoleEvent
  /** It came while the list was shown. */
  hasArrived: boolean
}

/** Events between the row above and the row below that are not loaded; the count is null if unknown. */
export interface GapRow {
  kind: 'gap'
  key: string
  count: number | null
}

export const eventRow = (event: ConsoleEvent, hasArrived = false): EventRow => ({
  kind: 'event',
  key: event.id,
  event,
  hasArrived,
})

let gaps = 0
export const gapRow = (count: number | null): GapRow => ({ kind: 'gap', key: `gap-${(gaps += 1)}`, count })

export const eventsOf = (rows: readonly Row[]): ConsoleEvent[] =>
  rows.flatMap((row) => (row.kind === 'event' ? [row.event] : []))

export const newestOf = (rows: readonly Row[]): ConsoleEvent | undefined =>
  rows.find((row) => row.kind === 'event')?.event

export const oldestOf = (rows: readonly Row[]): ConsoleEvent | undefined =>
  rows.findLast((row) => row.kind === 'event')?.event

/** How many events these rows stand for. */
export const countOf = (rows: readonly Row[]): number =>
  rows.reduce((sum, row) => sum + (row.kind === 'event' ? 1 : (row.count ?? 1)), 0)

/** The last `max` arrivals: the ones before them are replaced by a row that says how many are missing. */
export function bounded(arrivals: readonly Row[], max: number): readonly Row[] {
  if (arrivals.length <= max) return arrivals
  const dropped = arrivals.slice(0, arrivals.length - max + 1)
  const isCounted = dropped.every((row) => row.kind === 'event' || row.count !== null)
  return [gapRow(isCounted ? countOf(dropped) : null), ...arrivals.slice(dropped.length)]
}

/** Puts arrivals, in the order in which they came, on top of the rows; one with an earlier time goes to its place. */
export function withArrivals(rows: readonly Row[], arrivals: readonly Row[]): Row[] {
  let newest = newestOf(rows)?.id ?? ''
  const top: Row[] = []
  const late: EventRow[] = []
  for (const row of arrivals) {
    if (row.kind === 'event' && row.key < newest) late.push(row)
    else top.push(row)
    if (row.kind === 'event' && row.key > newest) newest = row.key
  }
  const result = [...top.reverse(), ...rows]
  for (const row of late) {
    const at = result.findIndex((each) => each.kind === 'event' && each.key < row.key)
    result.splice(at === -1 ? result.length : at, 0, row)
  }
  return result
}

/** Puts a loaded page into a gap. The gap stays, smaller, while the page does not reach the row below it. */
export function fillGap(
  rows: readonly Row[],
  key: string,
  page: readonly ConsoleEvent[],
  hasMore: boolean,
): readonly Row[] {
  const at = rows.findIndex((row) => row.key === key)
  const gap = rows[at]
  if (gap?.kind !== 'gap') return rows
  const above = oldestOf(rows.slice(0, at))?.id
  const below = newestOf(rows.slice(at + 1))?.id ?? ''
  const found = page.filter(({ id }) => (above === undefined || id < above) && id > below)
  const isComplete = !hasMore || page.some(({ id }) => id <= below)
  const left = gap.count === null ? null : Math.max(1, gap.count - found.length)
  return [
    ...rows.slice(0, at),
    ...found.map((event) => eventRow(event)),
    ...(isComplete ? [] : [{ ...gap, count: left }]),
    ...rows.slice(at + 1),
  ]
}
