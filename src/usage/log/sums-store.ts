import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { UsageSums } from '../contract.ts'
import type { UsageTables } from '../tables.ts'
import { matchesSums, needsRows, type Filter } from './filter.ts'
import { matchingSums } from './session-store.ts'
import { longSums, onDays, onHours } from './spans.ts'

type Db = Kysely<UsageTables>

const counts = [
  ...['requests', 'errors', 'unpriced_requests', 'estimated_requests', 'prompt_tokens', 'completion_tokens'],
  ...['total_tokens', 'cached_tokens', 'cache_write_tokens', 'reasoning_tokens'],
] as const

type SumRow = Record<(typeof counts)[number], string> & {
  input_cost: string | null
  output_cost: string | null
  total_cost: string | null
  avg_duration_ms: string | null
}

const sums = sql`
  coalesce(sum(requests), 0) as requests,
  coalesce(sum(requests) filter (where is_error), 0) as errors,
  coalesce(sum(unpriced_requests), 0) as unpriced_requests,
  coalesce(sum(estimated_requests), 0) as estimated_requests,
  coalesce(sum(prompt_tokens), 0) as prompt_tokens,
  coalesce(sum(completion_tokens), 0) as completion_tokens,
  coalesce(sum(prompt_tokens) + sum(completion_tokens), 0) as total_tokens,
  coalesce(sum(cached_tokens), 0) as cached_tokens,
  coalesce(sum(cache_write_tokens), 0) as cache_write_tokens,
  coalesce(sum(reasoning_tokens), 0) as reasoning_tokens,
  trim_scale(sum(input_cost)) as input_cost,
  trim_scale(sum(output_cost)) as output_cost,
  trim_scale(coalesce(sum(input_cost) + sum(output_cost), sum(input_cost), sum(output_cost))) as total_cost,
  round(sum(duration_ms) / nullif(sum(requests), 0), 1) as avg_duration_ms`

/** What the sums are split by, and how each part is named. */
const dimensions = {
  model: sql`model, provider`,
  provider: sql`provider`,
} as const

interface DimensionRow {
  model: { model: string; provider: string | null }
  provider: { provider: string | null }
}

export async function sumAll(db: Db, filter: Filter): Promise<UsageSums> {
  const { rows } = await sql<SumRow>`select ${sums} from ${wanted(filter)}`.execute(db)
  return toSums(rows[0] as SumRow)
}

/** The dearest first; what has no known price comes last. */
export async function sumBy<D extends keyof DimensionRow>(
  db: Db,
  filter: Filter,
  by: D,
): Promise<(DimensionRow[D] & UsageSums)[]> {
  const { rows } = await sql<DimensionRow[D] & SumRow>`
    select ${dimensions[by]}, ${sums} from ${wanted(filter)} group by ${dimensions[by]}
    order by total_cost desc nulls last, requests desc, ${dimensions[by]}`.execute(db)
  return rows.map((row) => ({ ...row, ...toSums(row) }))
}

/** Keys in `runs` are summed together under the name that it gives them. */
export async function sumByKey(
  db: Db,
  filter: Filter,
  runs: ReadonlyMap<string, string>,
): Promise<({ api_key_id: string | null } & UsageSums)[]> {
  const names = JSON.stringify(Object.fromEntries(runs))
  const { rows } = await sql<{ api_key_id: string | null } & SumRow>`
    select coalesce(${names}::jsonb ->> api_key_id::text, api_key_id::text) as api_key_id, ${sums}
    from ${wanted(filter)} group by 1 order by total_cost desc nulls last, requests desc, 1`.execute(db)
  return rows.map((row) => ({ ...row, ...toSums(row) }))
}

export async function sumDays(db: Db, filter: Filter): Promise<({ date: string } & UsageSums)[]> {
  const { rows } = await sql<{ date: string } & SumRow>`
    select day::text as date, ${sums} from usage.daily where ${onDays(filter)} and ${matchesSums(filter)}
    group by day order by day`.execute(db)
  return rows.map((row) => ({ ...row, ...toSums(row) }))
}

export async function sumHours(db: Db, filter: Filter): Promise<({ hour: string } & UsageSums)[]> {
  const { rows } = await sql<{ hour: Date } & SumRow>`
    select hour, ${sums} from usage.hourly where ${onHours(filter)} and ${matchesSums(filter)}
    group by hour order by hour`.execute(db)
  return rows.map((row) => ({ ...toSums(row), hour: row.hour.toISOString() }))
}

function wanted(filter: Filter): RawBuilder<unknown> {
  if (needsRows(filter)) return matchingSums(filter)
  return sql`${longSums(filter)} where ${matchesSums(filter)}`
}

function toSums(row: SumRow): UsageSums {
  const numbers = Object.fromEntries(counts.map((name) => [name, Number(row[name])]))
  return {
    ...(numbers as Record<(typeof counts)[number], number>),
    input_cost: row.input_cost,
    output_cost: row.output_cost,
    total_cost: row.total_cost,
    avg_duration_ms: row.avg_duration_ms === null ? null : Number(row.avg_duration_ms),
  }
}

/** For an hour or a day in which nothing happened. */
export const noSums: UsageSums = {
  ...(Object.fromEntries(counts.map((name) => [name, 0])) as Record<(typeof counts)[number], number>),
  input_cost: null,
  output_cost: null,
  total_cost: null,
  avg_duration_ms: null,
}
