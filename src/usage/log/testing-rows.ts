import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { insertWritten } from '../ledger/insert.ts'
import { RowBuffer } from '../ledger/row-buffer.ts'
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
    session_key: null,
    upstream_request_id: null,
    subagent_key: null,
    error_message: null,
    units: null,
    metadata: null,
    route: null,
    attempts: null,
    attempt_count: null,
    upstream_ms: null,
    new_prices: [],
    ...given,
  }
}

/** Puts rows into the log with their sums, by the statement of the journal's copier. */
export async function insertRows(pool: pg.Pool, rows: readonly LedgerRow[]): Promise<void> {
  const times = rows.map((row) => new Date(row.started_at).getTime())
  await ensurePartitions(pool, new Date(Math.min(...times)), new Date(Math.max(...times)), undefined)
  const buffer = new RowBuffer()
  await insertWritten(
    pool,
    buffer,
    rows.map((row) => buffer.add(row)),
  )
}
