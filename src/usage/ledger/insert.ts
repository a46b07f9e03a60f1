import type pg from 'pg'
import type { LedgerRow, PriceRow } from '../row.ts'

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
 * Rows that are there already change nothing, neither the log nor the sums. Both are written in a fixed order: two
 * processes that write the same sums then wait for each other instead of locking each other out.
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

/** A server that vanished from the network says nothing; the connection is then given up and the rows go again. */
const patience = { query_timeout: 30_000 }

/** A row ready to be sent. */
export interface WrittenRow {
  /** The request's uuid, as the journal writes it. */
  id: string
  json: string
  newPrice: PriceRow | null
}

/**
 * Written by hand, since every request passes here: it takes a third of the time. What is null or nought is left out:
 * that is almost half of the text, which is sent and parsed.
 */
export function writeRow(row: LedgerRow): WrittenRow {
  const json =
    `{"id":"${row.id}","group_id":"${row.group_id}"` +
    plain('api_key_id', row.api_key_id) +
    plain('provider_key_id', row.provider_key_id) +
    plain('price_id', row.price_id) +
    plain('started_at', row.started_at) +
    plain('ended_at', row.ended_at) +
    count('prompt_tokens', row.prompt_tokens) +
    count('completion_tokens', row.completion_tokens) +
    count('cached_tokens', row.cached_tokens) +
    count('cache_write_tokens', row.cache_write_tokens) +
    count('cache_write_long_tokens', row.cache_write_long_tokens) +
    count('reasoning_tokens', row.reasoning_tokens) +
    count('audio_input_tokens', row.audio_input_tokens) +
    count('audio_output_tokens', row.audio_output_tokens) +
    plain('duration_ms', row.duration_ms) +
    plain('ttft_ms', row.ttft_ms) +
    plain('status_code', row.status_code) +
    plain('streamed', row.streamed) +
    plain('usage_source', row.usage_source) +
    free('provider', row.provider) +
    free('model', row.model) +
    free('endpoint', row.endpoint) +
    plain('input_cost', row.input_cost) +
    plain('output_cost', row.output_cost) +
    plain('stated_cost', row.stated_cost) +
    free('user_label', row.user_label) +
    free('error_message', row.error_message) +
    free('units', row.units) +
    free('metadata', row.metadata) +
    '}'
  return { id: row.id.replaceAll('-', ''), json, newPrice: row.new_price }
}

/** For what never holds a character that JSON escapes; PostgreSQL reads numbers from texts as well. */
function plain(name: string, value: string | number | boolean | null): string {
  return value === null ? '' : `,"${name}":"${value}"`
}

function count(name: string, value: number): string {
  return value === 0 ? '' : `,"${name}":"${value}"`
}

function free(name: string, value: unknown): string {
  return value === null ? '' : `,"${name}":${JSON.stringify(value)}`
}

/** Puts rows into the log and the sums, after the prices that they bring along. */
export async function insertWritten(pool: pg.Pool, rows: readonly WrittenRow[]): Promise<void> {
  const prices = new Map(rows.flatMap(({ newPrice }) => (newPrice ? [[newPrice.id, newPrice]] : [])))
  // Seldom, and in a statement of its own: every change of prices is told to all processes.
  if (prices.size > 0)
    await pool.query({ ...patience, text: insertPrices, values: [JSON.stringify([...prices.values()])] })
  const json = `[${rows.map((row) => row.json).join(',')}]`
  await pool.query({ ...patience, name: 'usage-insert', text: insertRows, values: [json] })
}
