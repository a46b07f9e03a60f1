import type { ListedLog } from './log-queries.ts'

/** Rows that arrived after the list was loaded: shown ones, and ones that wait until the reader asks for them. */
export interface Arrivals {
  shown: readonly ListedLog[]
  waiting: readonly ListedLog[]
}

export const noArrivals: Arrivals = { shown: [], waiting: [] }

/** Each row once, newest first: ids are ordered by time. */
export function merge(one: readonly ListedLog[], other: readonly ListedLog[]): ListedLog[] {
  const rows = new Map([...other, ...one].map((row) => [row.id, row]))
  return [...rows.values()].sort((a, b) => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0))
}

/** Adds rows that are not known yet. Rows older than the loaded pages are left out: scrolling loads them. */
export function arrive(
  before: Arrivals,
  newest: readonly ListedLog[],
  listed: ReadonlySet<string>,
  oldest: string | undefined,
  isReading: boolean,
): Arrivals {
  const known = new Set([...before.shown, ...before.waiting].map(({ id }) => id))
  const fresh = newest.filter(({ id }) => !listed.has(id) && !known.has(id) && !(oldest && id < oldest))
  const waiting = merge(before.waiting, fresh)
  if (fresh.length === 0 && (isReading || waiting.length === 0)) return before
  return isReading ? { ...before, waiting } : { shown: merge(before.shown, waiting), waiting: [] }
}
