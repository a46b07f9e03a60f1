import { requestIdOf, requestUuid } from '#kernel/uuid'
import type { UsageLog } from '../contract.ts'
import { add, decimal, writeDecimal } from '#kernel/decimal'
import type { LogRow } from './log-store.ts'

/** The row's id for a request's id, with or without its prefix and hyphens; undefined when it cannot be one. */
export function idOf(requestId: string): string | undefined {
  const hex = requestId.replace(/^req_/, '').replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(hex) ? requestUuid(`req_${hex}`) : undefined
}

/** A row as it is shown, its fields in the order of the columns of an export. */
export function toUsageLog(row: LogRow): UsageLog {
  const [prompt, completion] = [Number(row.prompt_tokens), Number(row.completion_tokens)]
  const started = row.started_at.toISOString()
  return {
    id: row.id,
    request_id: requestIdOf(row.id),
    group_id: row.group_id,
    api_key_id: row.api_key_id,
    provider_key_id: row.provider_key_id,
    provider: row.provider,
    model: row.model,
    endpoint: row.endpoint,
    user_label: row.user_label,
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    cached_tokens: Number(row.cached_tokens),
    cache_write_tokens: Number(row.cache_write_tokens),
    cache_write_long_tokens: Number(row.cache_write_long_tokens),
    reasoning_tokens: Number(row.reasoning_tokens),
    audio_input_tokens: Number(row.audio_input_tokens),
    audio_output_tokens: Number(row.audio_output_tokens),
    input_cost: row.input_cost,
    output_cost: row.output_cost,
    total_cost: totalOf(row.input_cost, row.output_cost),
    stated_cost: row.stated_cost,
    price_id: row.price_id,
    usage_source: row.usage_source,
    units: row.units,
    duration_ms: row.duration_ms,
    ttft_ms: row.ttft_ms,
    streamed: row.streamed,
    status_code: row.status_code,
    error_message: row.error_message,
    metadata: row.metadata,
    started_at: started,
    ended_at: row.ended_at.toISOString(),
    created_at: started,
    session_key: row.session_key,
    subagent_key: row.subagent_key,
    upstream_request_id: row.upstream_request_id,
    route: row.route,
    attempt_count: row.attempt_count ?? (row.provider_key_id === null ? 0 : 1),
    upstream_ms: row.upstream_ms,
    own_ms: row.upstream_ms === null ? null : Math.max(0, row.duration_ms - row.upstream_ms),
  }
}

export function totalOf(input: string | null, output: string | null): string | null {
  if (input === null || output === null) return input ?? output
  return writeDecimal(add(decimal(input), decimal(output)))
}
