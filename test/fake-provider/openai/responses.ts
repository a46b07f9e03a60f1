import { callIds, compose } from '../answer.ts'
import type { Answer } from '../answer.ts'
import type { Identifiers } from '../identifiers.ts'
import { seal } from '../identifiers.ts'
import { listOf, objectOf, textOf } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { eventStream, jsonBody } from '../wire.ts'
import type { Exchange, Outgoing } from '../wire.ts'
import { automaticCache } from './chat.ts'
import { checkResponses } from './check-responses.ts'
import { findGpt } from './models.ts'
import { renderResponseStream } from './render-responses.ts'
import { readResponsesPrompt } from './responses-prompt.ts'

export function respondResponse({ request, reply, identifiers, cache }: Exchange): Outgoing {
  if (reply.unchecked !== true) checkResponses(request.json)
  const body = objectOf(request.json)
  const shown = objectOf(body['reasoning'])['summary'] !== undefined
  const reasoning = reasons(body) ? (shown ? 'shown' : 'hidden') : 'none'
  const prompt = readResponsesPrompt(body, reasoning)
  const cached = automaticCache(prompt.inputTokens, () => cache.hit(prompt.model, body['input']))
  const answer = compose(prompt, reply, callIds(identifiers, 'call_', 24), { read: cached, write: 0 })
  const output = outputItems(answer, body, identifiers, shown || reply.reasoning !== undefined)
  const response = { ...envelope(body, identifiers), ...ending(answer), output, usage: usage(answer) }
  if (body['stream'] === true) return eventStream(renderResponseStream(response, answer))
  return jsonBody(200, response, {}, 2)
}

function reasons(body: JsonObject): boolean {
  const model = findGpt(textOf(body['model']))
  if (model === undefined || model === 'gone' || model.efforts.length === 0) return false
  return (objectOf(body['reasoning'])['effort'] ?? model.defaultEffort) !== 'none'
}

function outputItems(
  answer: Answer,
  body: JsonObject,
  identifiers: Identifiers,
  shown: boolean,
): JsonObject[] {
  const items: JsonObject[] = []
  if (answer.reasoning !== '') {
    const encrypted = listOf(body['include']).includes('reasoning.encrypted_content')
    items.push({
      id: identifiers.hexadecimal('rs_', 50),
      type: 'reasoning',
      summary: shown ? [{ type: 'summary_text', text: answer.reasoning }] : [],
      ...(encrypted ? { encrypted_content: seal({ reasoning: answer.reasoning }) } : {}),
    })
  }
  if (answer.text !== '' || answer.refusal !== null) {
    const content =
      answer.refusal === null
        ? { type: 'output_text', text: answer.text, annotations: [], logprobs: [] }
        : { type: 'refusal', refusal: answer.refusal }
    items.push({
      id: identifiers.hexadecimal('msg_', 50),
      type: 'message',
      status: answer.finish === 'length' ? 'incomplete' : 'completed',
      role: 'assistant',
      content: [content],
    })
  }
  for (const call of answer.calls) {
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

/** Only a cut answer is incomplete; a refusal spoken by the model is a complete one. */
function ending(answer: Answer): JsonObject {
  if (answer.finish === 'length') {
    return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
  }
  if (answer.finish === 'content_filter' && answer.refusal === null) {
    return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }
  }
  return { status: 'completed', incomplete_details: null }
}

function usage(answer: Answer): JsonObject {
  const { input, cached, cacheWrite, output, reasoning } = answer.usage
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
    status: 'completed',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: body['instructions'] ?? null,
    max_output_tokens: body['max_output_tokens'] ?? null,
    max_tool_calls: null,
    model: body['model'],
    output: [],
    parallel_tool_calls: body['parallel_tool_calls'] ?? true,
    previous_response_id: null,
    prompt_cache_key: body['prompt_cache_key'] ?? null,
    reasoning: { effort: reasoning['effort'] ?? null, summary: reasoning['summary'] ?? null },
    safety_identifier: body['safety_identifier'] ?? null,
    service_tier: 'default',
    store: body['store'] ?? true,
    temperature: body['temperature'] ?? 1,
    text: body['text'] ?? { format: { type: 'text' }, verbosity: 'medium' },
    tool_choice: body['tool_choice'] ?? 'auto',
    tools: body['tools'] ?? [],
    top_logprobs: 0,
    top_p: body['top_p'] ?? 1,
    truncation: 'disabled',
    usage: null,
    user: null,
    metadata: body['metadata'] ?? {},
  }
}
