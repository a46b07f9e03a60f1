import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { LedgerRow } from '../row.ts'
import { ensurePartitions } from './partitions.ts'

/** A uuid of the given millisecond. */
export function idAt(at: Date): string {
  const random = randomBytes(10).toString('hex')
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`
}

export function newRow(groupId: string, at: Date, given: Partial<LedgerRow> = {}): LedgerRow {
  const duration = given.duration_ms ?? 1_200
  return {
    id: idAt(at),
    group_id: groupId,
    api_key_id: null,
    provider_key_id: null,
    price_id: null,
    started_at: at.toISOString(),
    ended_at: new Date(at.getTime() + duration).toISOString(),
    prompt_tokens: 100,
    completion_tokens: 20,
    cached_tokens: 0,
    cache_write_tokens: 0,
    cache_write_long_tokens: 0,
    reasoning_tokens: 0,
    audio_input_tokens: 0,
    audio_output_tokens: 0,
    duration_ms: duration,
    ttft_ms: null,
    status_code: 200,
    streamed: false,
    usage_source: 'provider',
    provider: 'openai',
    model: 'gpt-6-sol',
    endpoint: '/v1/chat/completions',
    input_cost: '0.0001',
    output_cost: '0.0002',
    stated_cost: null,
    user_label: null,
    error_message: null,
    units: null,
    metadata: null,
    new_price: null,
    ...given,
  }
}

/** Puts rows into the log with their sums, in one statement, as the copier of the journal does. */
export async function insertRows(pool: pg.Pool, rows: readonly LedgerRow[]): Promise<void> {
  const times = rows.map((row) => new Date(row.started_at).getTime())
  await ensurePartitions(pool, new Date(Math.min(...times)), new Date(Math.max(...times)), undefined)
  await pool.query(
    `with added as (
       insert into usage.usage_logs
       select (jsonb_populate_record(null::usage.usage_logs, value)).* from jsonb_array_elements($1::jsonb)
       on conflict do nothing returning *
     )
     insert into usage.hourly
     select group_id, date_trunc('hour', started_at, 'UTC'), api_key_id, provider, model, status_code >= 400,
       count(*), count(*) filter (where input_cost is null), count(*) filter (where usage_source = 'estimated'),
       sum(prompt_tokens), sum(completion_tokens), sum(cached_tokens), sum(cache_write_tokens),
       sum(reasoning_tokens), sum(input_cost), sum(output_cost), sum(duration_ms)
     from added group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
     on conflict (group_id, hour, api_key_id, provider, model, is_error) do update set
       requests = hourly.requests + excluded.requests,
       unpriced_requests = hourly.unpriced_requests + excluded.unpriced_requests,
       estimated_requests = hourly.estimated_requests + excluded.estimated_requests,
       prompt_tokens = hourly.prompt_tokens + excluded.prompt_tokens,
       completion_tokens = hourly.completion_tokens + excluded.completion_tokens,
       cached_tokens = hourly.cached_tokens + excluded.cached_tokens,
       cache_write_tokens = hourly.cache_write_tokens + excluded.cache_write_tokens,
       reasoning_tokens = hourly.reasoning_tokens + excluded.reasoning_tokens,
       input_cost = coalesce(hourly.input_cost + excluded.input_cost, hourly.input_cost, excluded.input_cost),
       output_cost = coalesce(hourly.output_cost + excluded.output_cost, hourly.output_cost, excluded.output_cost),
       duration_ms = hourly.duration_ms + excluded.duration_ms`,
    [JSON.stringify(rows)],
  )
}
