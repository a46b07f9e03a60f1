import type pg from 'pg'
import type { PriceRow } from '../row.ts'
import type { RowBuffer, WrittenRow } from './row-buffer.ts'

/** How each column of `usage.usage_logs` is read from JSON. */
const columns = {
  id: 'uuid',
  group_id: 'uuid',
  api_key_id: 'uuid',
  provider_key_id: 'uuid',
  price_id: 'uuid',
  started_at: 'timestamptz',
  ended_at: 'timestamptz',
  prompt_tokens: 'bigint',
  completion_tokens: 'bigint',
  cached_tokens: 'bigint',
  cache_write_tokens: 'bigint',
  cache_write_long_tokens: 'bigint',
  reasoning_tokens: 'bigint',
  audio_input_tokens: 'bigint',
  audio_output_tokens: 'bigint',
  duration_ms: 'integer',
  ttft_ms: 'integer',
  status_code: 'smallint',
  streamed: 'boolean',
  usage_source: 'text',
  provider: 'text',
  model: 'text',
  endpoint: 'text',
  input_cost: 'numeric',
  output_cost: 'numeric',
  stated_cost: 'numeric',
  user_label: 'text',
  error_message: 'text',
  units: 'jsonb',
  metadata: 'jsonb',
  session_key: 'text',
  subagent_key: 'text',
  upstream_request_id: 'text',
  route: 'text',
  attempts: 'jsonb',
  attempt_count: 'smallint',
  upstream_ms: 'integer',
}

const priceColumns = {
  id: 'uuid',
  group_id: 'uuid',
  model_id: 'text',
  source: 'text',
  input_price_per_1m: 'numeric',
  output_price_per_1m: 'numeric',
  cache_read_price_per_1m: 'numeric',
  cache_write_price_per_1m: 'numeric',
  cache_write_long_price_per_1m: 'numeric',
  audio_input_price_per_1m: 'numeric',
  audio_output_price_per_1m: 'numeric',
  request_price: 'numeric',
  unit_prices: 'jsonb',
  tiers: 'jsonb',
  effective_from: 'timestamptz',
  effective_to: 'timestamptz',
}

const names = (of: object): string => Object.keys(of).join(', ')
const typed = (of: object): string =>
  Object.entries(of)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')

const valueOf = ([name, type]: [string, string]): string =>
  type === 'bigint' ? `coalesce(${name}, 0)` : name

const key = 'group_id, hour, api_key_id, provider, model, is_error'
const sums = [
  'requests',
  'unpriced_requests',
  'estimated_requests',
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'duration_ms',
]
const costs = ['input_cost', 'output_cost']

/**
 * Rows that already exist change neither the log nor the sums. Both are written in a fixed order, so that two processes
 * that write the same sums wait for each other instead of deadlocking.
 */
const insertRows = `
with given as (
  select ${names(columns)} from json_to_recordset($1::json) as given(${typed(columns)})
), inserted as (
  insert into usage.usage_logs (${names(columns)})
  select ${Object.entries(columns).map(valueOf).join(', ')} from given order by id
  on conflict (group_id, id) do nothing
  returning *
)
insert into usage.hourly as hourly (${key}, ${sums.join(', ')}, ${costs.join(', ')})
select group_id, date_trunc('hour', started_at, 'UTC') as hour, api_key_id, provider, model,
  status_code >= 400 as is_error, count(*), count(*) filter (where input_cost is null),
  count(*) filter (where usage_source = 'estimated'), sum(prompt_tokens), sum(completion_tokens),
  sum(cached_tokens), sum(cache_write_tokens), sum(reasoning_tokens), sum(duration_ms::bigint),
  sum(input_cost), sum(output_cost)
from inserted group by ${key} order by ${key}
on conflict (${key}) do update set
  ${sums.map((name) => `${name} = hourly.${name} + excluded.${name}`).join(', ')},
  ${costs.map((name) => `${name} = coalesce(hourly.${name} + excluded.${name}, hourly.${name}, excluded.${name})`).join(', ')}`

const insertPrices = `
insert into usage.model_pricing (${names(priceColumns)})
select * from json_to_recordset($1::json) as given(${typed(priceColumns)}) order by id
on conflict do nothing`

/** A server that dropped off the network never responds; after this time the rows are sent again. */
const timeout = { query_timeout: 30_000 }

/** Inserts rows into the log and the sums, after the new prices they refer to. */
export async function insertWritten(
  pool: pg.Pool,
  buffer: RowBuffer,
  rows: readonly WrittenRow[],
): Promise<void> {
  const prices = new Map<string, PriceRow>()
  for (const { newPrices } of rows) for (const price of newPrices) prices.set(price.id, price)
  // Rare, and a separate statement, because every change of prices notifies all processes.
  if (prices.size > 0)
    await pool.query({ ...timeout, text: insertPrices, values: [JSON.stringify([...prices.values()])] })
  await pool.query({ ...timeout, name: 'usage-insert', text: insertRows, values: [buffer.arrayOf(rows)] })
}
