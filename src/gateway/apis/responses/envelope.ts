import { randomUUID } from 'node:crypto'
import type { Usage } from '../../providers/index.ts'
import { arrayOf, isObject, objectOf, type JsonObject } from '../../wire/json.ts'

export function newId(prefix: 'resp' | 'msg' | 'rs' | 'fc' | 'ctc' | 'ig' | 'cmp'): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`
}

interface Ending {
  status: Status
  incomplete_details: JsonObject | null
  completed_at: number | null
}

export type Status = 'in_progress' | 'completed' | 'incomplete'

/** A tool with all of its fields: clients that check responses miss those that the request left out. */
function wholeTool(tool: unknown): unknown {
  if (!isObject(tool) || tool['type'] !== 'function') return tool
  return { description: null, parameters: null, strict: null, ...tool }
}

/** The status of a response, from the finish reason of a chat completion. */
export function endingOf(finishReason: unknown): Ending {
  if (finishReason === 'length') return incomplete('max_output_tokens')
  if (finishReason === 'content_filter') return incomplete('content_filter')
  return { status: 'completed', incomplete_details: null, completed_at: Math.floor(Date.now() / 1000) }
}

function incomplete(reason: string): Ending {
  return { status: 'incomplete', incomplete_details: { reason }, completed_at: null }
}

/** Everything of a response but what the model said: most of it repeats the request. */
export function envelope(request: JsonObject): JsonObject {
  const { instructions, metadata, tool_choice: choice, text, reasoning } = request
  return {
    id: newId('resp'),
    object: 'response',
    access_programs: null,
    created_at: Math.floor(Date.now() / 1000),
    completed_at: null,
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: instructions ?? null,
    max_output_tokens: request['max_output_tokens'] ?? null,
    frequency_penalty: 0,
    max_tool_calls: null,
    metadata: metadata ?? {},
    model: request['model'],
    output: [],
    parallel_tool_calls: request['parallel_tool_calls'] ?? true,
    presence_penalty: 0,
    previous_response_id: null,
    prompt_cache_key: request['prompt_cache_key'] ?? null,
    reasoning: {
      effort: objectOf(reasoning)['effort'] ?? null,
      summary: objectOf(reasoning)['summary'] ?? null,
    },
    safety_identifier: request['safety_identifier'] ?? null,
    service_tier: request['service_tier'] ?? 'default',
    // Nothing is kept of a translated response.
    store: false,
    temperature: request['temperature'] ?? 1,
    text: { format: { type: 'text' }, ...objectOf(text) },
    tool_choice: choice ?? 'auto',
    tools: arrayOf(request['tools']).map(wholeTool),
    top_logprobs: request['top_logprobs'] ?? 0,
    top_p: request['top_p'] ?? 1,
    truncation: 'disabled',
    usage: null,
    ...(typeof request['user'] === 'string' ? { user: request['user'] } : {}),
  }
}

/** Usage as the Responses API counts it, if the provider reported any: the input includes what the cache held, the output includes reasoning. */
export function responseUsage(usage: Usage | null): JsonObject {
  if (!usage) return { usage: null }
  const written = usage.cacheWrite + usage.cacheWriteLong
  const input = usage.uncached + usage.cacheRead + written
  const counts = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: written },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: input + usage.output,
  }
  return { usage: counts }
}
