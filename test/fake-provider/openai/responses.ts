import { callIds, compose } from '../completion.ts'
import type { Completion } from '../completion.ts'
import type { Identifiers } from '../identifiers.ts'
import { seal } from '../identifiers.ts'
import { arrayOf, objectOf, objectsOf, stringOf } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { eventStream, jsonBody } from '../provider-api.ts'
import type { Exchange, Outgoing } from '../provider-api.ts'
import { automaticCache } from './chat.ts'
import { checkResponses } from './check-responses.ts'
import { refuse } from './fault.ts'
import { findGpt } from './models.ts'
import { renderResponseStream } from './render-responses.ts'
import { readResponsesPrompt } from './responses-prompt.ts'
import { store } from './stored.ts'

export function respondResponse({ request, reply, identifiers, cache }: Exchange): Outgoing {
  if (reply.unchecked !== true) checkResponses(request)
  const body = objectOf(request.json)
  const shown = objectOf(body['reasoning'])['summary'] !== undefined
  const reasoning = reasons(body) ? (shown ? 'shown' : 'hidden') : 'none'
  const prompt = readResponsesPrompt(body, reasoning)
  const cached = automaticCache(prompt.inputTokens, () => cache.hit(prompt.model, body['input']))
  const completion = compose(prompt, reply, callIds(identifiers, 'call_', 24), { read: cached, write: 0 })
  const output = outputItems(completion, body, identifiers, shown || reply.reasoning !== undefined)
  const response = { ...envelope(body, identifiers), ...ending(completion), output, usage: usage(completion) }
  if (body['store'] !== false) store(request, response)
  if (body['stream'] === true) return eventStream(renderResponseStream(response, completion))
  return jsonBody(200, response, {}, 2)
}

/** Fields that the count of input tokens takes. */
const countedFields = new Set(
  'conversation input instructions model parallel_tool_calls previous_response_id reasoning text tool_choice tools truncation'.split(
    ' ',
  ),
)

export function respondInputTokens({ request }: Exchange): Outgoing {
  checkResponses(request)
  const body = objectOf(request.json)
  const unknown = Object.keys(body).find((key) => !countedFields.has(key))
  if (unknown !== undefined) refuse(`Unknown parameter: '${unknown}'.`, unknown, 'unknown_parameter')
  const { inputTokens } = readResponsesPrompt(body, 'none')
  return jsonBody(200, { object: 'response.input_tokens', input_tokens: inputTokens })
}

function reasons(body: JsonObject): boolean {
  const model = findGpt(stringOf(body['model']))
  if (model === undefined || model === 'gone' || model.efforts.length === 0) return false
  return (objectOf(body['reasoning'])['effort'] ?? model.defaultEffort) !== 'none'
}

function outputItems(
  completion: Completion,
  body: JsonObject,
  identifiers: Identifiers,
  shown: boolean,
): JsonObject[] {
  const items: JsonObject[] = []
  if (completion.reasoning !== '') {
    const encrypted = arrayOf(body['include']).includes('reasoning.encrypted_content')
    items.push({
      id: identifiers.hexadecimal('rs_', 50),
      type: 'reasoning',
      summary: shown ? [{ type: 'summary_text', text: completion.reasoning }] : [],
      ...(encrypted ? { encrypted_content: seal({ reasoning: completion.reasoning }) } : {}),
    })
  }
  if (completion.text !== '' || completion.refusal !== null) {
    const content =
      completion.refusal === null
        ? { type: 'output_text', text: completion.text, annotations: [], logprobs: [] }
        : { type: 'refusal', refusal: completion.refusal }
    items.push({
      id: identifiers.hexadecimal('msg_', 50),
      type: 'message',
      status: completion.finish === 'length' ? 'incomplete' : 'completed',
      role: 'assistant',
      content: [content],
    })
  }
  for (const call of completion.calls) {
    items.push({
      id: identifiers.hexadecimal('fc_', 50),
      type: 'function_call',
      status: 'completed',
      arguments: call.arguments,
      call_id: call.id,
      name: call.name,
    })
  }
  return items
}

/** Only a response that was cut off is incomplete; a refusal by the model is complete. */
function ending(completion: Completion): JsonObject {
  if (completion.finish === 'length') {
    return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
  }
  if (completion.finish === 'content_filter' && completion.refusal === null) {
    return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }
  }
  return { status: 'completed', incomplete_details: null }
}

export function usage(completion: Completion): JsonObject {
  const { input, cached, cacheWrite, output, reasoning } = completion.usage
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  }
}

function envelope(body: JsonObject, identifiers: Identifiers): JsonObject {
  const reasoning = objectOf(body['reasoning'])
  return {
    id: identifiers.hexadecimal('resp_', 50),
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    completed_at: Math.floor(Date.now() / 1000),
    status: 'completed',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: body['instructions'] ?? null,
    frequency_penalty: 0,
    max_output_tokens: body['max_output_tokens'] ?? null,
    max_tool_calls: null,
    model: body['model'],
    output: [],
    parallel_tool_calls: body['parallel_tool_calls'] ?? true,
    presence_penalty: 0,
    previous_response_id: body['previous_response_id'] ?? null,
    prompt_cache_key: body['prompt_cache_key'] ?? null,
    reasoning: { effort: reasoning['effort'] ?? null, summary: reasoning['summary'] ?? null },
    safety_identifier: body['safety_identifier'] ?? null,
    service_tier: 'default',
    store: body['store'] ?? true,
    temperature: body['temperature'] ?? 1,
    text: body['text'] ?? { format: { type: 'text' }, verbosity: 'medium' },
    tool_choice: body['tool_choice'] ?? 'auto',
    tools: objectsOf(body['tools']).map((tool) => ({ description: null, strict: true, ...tool })),
    top_logprobs: 0,
    top_p: body['top_p'] ?? 1,
    truncation: 'disabled',
    usage: null,
    user: null,
    metadata: body['metadata'] ?? {},
  }
}
