import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { UsagePercentiles } from '../contract.ts'
import type { UsageTables } from '../tables.ts'
import type { Filter } from './filter.ts'
import type { LogRow } from './log-store.ts'
import { readPageAs } from './read-log.ts'

/** As many as the largest page of the log has: no filter makes this dearer than such a page. */
export const percentileRows = 1_000

/** Sums hold no percentiles, so they are those of the newest rows. */
export async function readPercentiles(db: Kysely<UsageTables>, filter: Filter): Promise<UsagePercentiles> {
  const newest = { before: undefined, offset: 0 }
  const { rows, hasMore } = await readPageAs(db, filter, newest, percentileRows, timesOf)
  return {
    requests: rows.length,
    is_all: !hasMore,
    duration_ms: percentilesOf(rows.map(({ duration_ms }) => duration_ms)),
    ttft_ms: percentilesOf(rows.flatMap(({ ttft_ms }) => ttft_ms ?? [])),
  }
}

type Times = Pick<LogRow, 'duration_ms' | 'ttft_ms'>

/** A row has labels and messages too, which are many times as long. */
const timesOf = (query: RawBuilder<LogRow>): RawBuilder<Times> =>
  sql<Times>`select duration_ms, ttft_ms from (${query}) as newest`

/** The smallest value that at least 50 % or 95 % of the values do not exceed. */
function percentilesOf(values: readonly number[]): { p50: number | null; p95: number | null } {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (percent: number) => sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? null
  return { p50: at(50), p95: at(95) }
}
