import type { Usage } from '../../providers/index.ts'
import { stringOf, type JsonObject } from '../../wire/json.ts'

export interface MessageEnd {
  hasCalls: boolean
  refusal: string
}

/** The stop reason of a message, from `choice` of the chat completion. */
export function endingOf(choice: JsonObject, { hasCalls, refusal }: MessageEnd, stops: readonly string[]) {
  const finish = stringOf(choice['finish_reason'])
  const stopText = stops.find((text) => text === choice['stop_reason']) ?? null
  if (refusal !== '' || finish === 'content_filter') {
    const details = { type: 'refusal', category: null, explanation: refusal === '' ? null : refusal }
    return { stop_reason: 'refusal', stop_sequence: null, stop_details: details }
  }
  const plain = { stop_sequence: null, stop_details: null }
  if (finish === 'length') return { stop_reason: 'max_tokens', ...plain }
  // Some servers say `stop` although they call a tool.
  if (hasCalls) return { stop_reason: 'tool_use', ...plain }
  const isStopped = stopText !== null || choice['native_finish_reason'] === 'stop_sequence'
  if (isStopped) return { stop_reason: 'stop_sequence', stop_sequence: stopText, stop_details: null }
  return { stop_reason: 'end_turn', ...plain }
}

/** Counts as the Messages API reports them: input excludes what was read from and written to a cache. */
export function toMessageUsage(usage: Usage | null) {
  const searches = usage?.units['web_search'] ?? 0
  return {
    input_tokens: usage?.uncached ?? 0,
    cache_creation_input_tokens: (usage?.cacheWrite ?? 0) + (usage?.cacheWriteLong ?? 0),
    cache_read_input_tokens: usage?.cacheRead ?? 0,
    cache_creation: {
      ephemeral_5m_input_tokens: usage?.cacheWrite ?? 0,
      ephemeral_1h_input_tokens: usage?.cacheWriteLong ?? 0,
    },
    output_tokens: usage?.output ?? 0,
    output_tokens_details: { thinking_tokens: usage?.reasoning ?? 0 },
    server_tool_use: searches > 0 ? { web_search_requests: searches, web_fetch_requests: 0 } : null,
    service_tier: null,
    inference_geo: null,
    speed: null,
  }
}
