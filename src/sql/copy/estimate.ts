import type { CopyStep, CopyTrial } from '../contract.ts'
import type { DatabaseOfGroup } from '../database/places.ts'
import type { Runner } from '../run/runner.ts'
import type { Rates } from './rates.ts'
import type { Step } from './run-steps.ts'

interface Size {
  rows: number
  bytes: number
  indexBytes: number
}

export type Sizes = ReadonlyMap<string, Size>

/** Of the real tables, from the statistics of the database: nothing is counted. */
export async function sizesOf(runner: Runner, at: DatabaseOfGroup, names: readonly string[]): Promise<Sizes> {
  const rows = await runner.lookUp(
    at,
    `select given as name, greatest(c.reltuples, 0)::float8 as rows, pg_table_size(c.oid)::float8 as bytes,
       pg_indexes_size(c.oid)::float8 as index_bytes
     from unnest($1::text[]) given join pg_class c on c.oid = to_regclass(given)`,
    [[...new Set(names)]],
  )
  return new Map(
    rows.map((row) => [
      String(row['name']),
      { rows: Number(row['rows']), bytes: Number(row['bytes']), indexBytes: Number(row['index_bytes']) },
    ]),
  )
}

const none: Size = { rows: 0, bytes: 0, indexBytes: 0 }

/** Null: the statement changes rows, or was not reached, so sizes say nothing about its time. */
export function estimateOf(step: Step, sizes: Sizes, rates: Rates): number | null {
  if (step.changesRows || step.durationMs === null || step.error !== null) return null
  const size = (name: string): Size => sizes.get(name) ?? none
  const sum = (names: readonly string[], ms: (of: Size) => number): number =>
    names.reduce((total, name) => total + ms(size(name)), 0)
  const { rewritten, indexed, scanned } = step
  const onlyIndexed = indexed.filter((name) => !rewritten.includes(name))
  const onlyScanned = scanned.filter((name) => !rewritten.includes(name) && !indexed.includes(name))
  const work =
    sum(rewritten, ({ bytes, indexBytes }) => bytes / rates.rewrite + indexBytes / rates.index) +
    sum(onlyIndexed, ({ bytes }) => bytes / rates.index) +
    sum(onlyScanned, ({ bytes }) => bytes / rates.scan)
  return Math.round(step.durationMs + work)
}

const byStrength = [
  ...['RowShare', 'RowExclusive', 'ShareUpdateExclusive', 'Share', 'ShareRowExclusive', 'Exclusive'],
  'AccessExclusive',
]

/** A lock is held from its statement to the end of the transaction; a weaker one on the same table adds nothing. */
export function lockedTables(steps: readonly CopyStep[], sizes: Sizes): CopyTrial['locked'] {
  const strongest = new Map<string, number>()
  return steps.flatMap(({ locks }, at) => {
    const estimate_ms = sumOf(steps.slice(at).map((step) => step.estimate_ms))
    const hardFirst = locks.toSorted((one, other) => strengthOf(other) - strengthOf(one))
    return hardFirst.flatMap((lock) => {
      const size = sizes.get(lock.relation)
      if (!size || (strongest.get(lock.relation) ?? -1) >= strengthOf(lock)) return []
      strongest.set(lock.relation, strengthOf(lock))
      return [{ ...lock, estimate_ms, rows: size.rows, bytes: size.bytes }]
    })
  })
}

const strengthOf = ({ mode }: { mode: string }): number => byStrength.indexOf(mode)

const sumOf = (times: readonly (number | null)[]): number | null =>
  times.reduce<number | null>((sum, ms) => (sum === null || ms === null ? null : sum + ms), 0)
