import type { Change, Evidence, RanQuery } from './evidence.ts'
import { hasTable, isSameTable } from './tables.ts'

export interface Counts {
  table: string | null
  before: number | null
  after: number | null
}

export const changedTables = ({ facts }: Change): string[] => [
  ...new Set(facts?.statements.flatMap(({ changes }) => changes) ?? []),
]

export const isCreated = ({ facts }: Change, table: string): boolean =>
  hasTable(facts?.effect?.created ?? [], table)

/** The tables that it changed and that are not there any more. */
export const isDropped = (change: Change, table: string): boolean =>
  change.outcome === 'executed' &&
  hasTable(change.facts?.statements.flatMap(({ drops }) => drops) ?? [], table)

/** Rows of the tables that a change is about: counted by the platform, else by the run's own queries. */
export function countsOf(change: Change, evidence: Evidence): Counts {
  const all = changedTables(change).map((table) => countsOfTable(change, table, evidence))
  const nothing: Counts = { table: null, before: null, after: null }
  return all.find(({ before, after }) => before !== null && after !== null) ?? all[0] ?? nothing
}

function countsOfTable(change: Change, table: string, evidence: Evidence): Counts {
  const [from, to] = neighbours(change, table, evidence)
  const totals = evidence.queries
    .filter(({ database, place }) => database === change.database && place > from && place < to)
    .map((query) => ({ place: query.place, total: totalOf(query, table) }))
    .filter(({ total }) => total !== null)
  const counted = change.facts?.counted?.find((each) => each.table === table)
  const before = counted?.before ?? totals.findLast(({ place }) => place < change.place)?.total ?? null
  const after = counted?.after ?? totals.find(({ place }) => place > change.place)?.total ?? null
  return {
    table,
    before: before ?? (isCreated(change, table) ? 0 : null),
    after: after ?? (isDropped(change, table) ? 0 : null),
  }
}

/** Counts beyond another change of the same table say nothing about this one. */
function neighbours(change: Change, table: string, { changes }: Evidence): [number, number] {
  const others = changes.filter(
    (each) =>
      each !== change &&
      each.database === change.database &&
      each.outcome === 'executed' &&
      hasTable(changedTables(each), table),
  )
  const earlier = others.findLast(({ place }) => place < change.place)
  const later = others.find(({ place }) => place > change.place)
  return [earlier?.place ?? -Infinity, later?.place ?? Infinity]
}

/** How many rows a query found in a whole table; null where it did not ask. */
export function totalOf({ shape, result }: RanQuery, table: string): number | null {
  // There is no such table: it has no rows.
  if (result.sqlstate === '42P01' && hasTable(shape.counted, table)) return 0
  const column = shape.columns?.findIndex(
    (each) => each.kind === 'total' && each.table !== null && isSameTable(each.table, table),
  )
  const [row, ...more] = result.counts?.rows ?? []
  return column === undefined || !row || more.length > 0 ? null : (row[column] ?? null)
}

/** Whether the difference of the counts is what the database says it did. */
export function isVerified(change: Change, { table, before, after }: Counts): boolean {
  if (change.outcome !== 'executed' || table === null || before === null || after === null) return false
  if (isDropped(change, table)) return after === 0
  const range = expectedDifference(change, table)
  return range !== null && after - before >= range[0] && after - before <= range[1]
}

function expectedDifference(change: Change, table: string): [number, number] | null {
  const { facts, operations, rowsAffected } = change
  if (facts?.effect && change.kind === 'migrate') {
    const found = facts.effect.tables.find(({ schema, name }) => isSameTable(`${schema}.${name}`, table))
    const difference = (found?.inserted ?? 0) - (found?.deleted ?? 0)
    return [difference, difference]
  }
  const rows = rowsAffected ?? 0
  const writes = operations.filter((name) => name !== 'SELECT')
  if (writes.every((name) => name === 'INSERT' || name === 'UPDATE'))
    return [writes.includes('UPDATE') ? 0 : rows, writes.includes('INSERT') ? rows : 0]
  if (writes.length > 1) return null
  if (writes[0] === 'DELETE') return [-rows, -rows]
  return writes[0] === 'MERGE' || writes[0] === 'TRUNCATE' ? null : [0, 0]
}
