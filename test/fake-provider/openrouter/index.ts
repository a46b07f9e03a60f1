import { callIds, compose, slices } from '../completion.ts'
import type { Completion } from '../completion.ts'
import { seal } from '../identifiers.ts'
import { isAbsent, isObject, arrayOf, objectOf, stringOf } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { readChatPrompt } from '../openai/chat-prompt.ts'
import { comment, dataEvent, doneEvent } from '../sse.ts'
import { eventStream, jsonBody } from '../provider-api.ts'
import type { Exchange, Outgoing, ProviderApi } from '../provider-api.ts'
import { authenticate, fault, openrouterError, refuse } from './fault.ts'
import { costOf, describeModels } from './models.ts'

export const openrouter: ProviderApi = {
  name: 'openrouter',
  endpoints: [
    { name: 'chat', method: 'POST', path: /^\/chat\/completions$/, respond: respondChat },
    { name: 'models', method: 'GET', path: /^\/models$/, respond: () => jsonBody(200, describeModels()) },
    {
      name: 'key',
      method: 'GET',
      path: /^\/key$/,
      respond: () => jsonBody(200, { data: { label: 'sk-or-v1-fak...e00', limit: null, usage: 0 } }),
    },
  ],
  authenticate,
  fault,
  streamFault: (error) =>
    dataEvent({
      id: 'gen-1795000000-fake',
      object: 'chat.completion.chunk',
      created: 1_795_000_000,
      model: 'unknown',
      provider: 'Fake',
      error: openrouterError({ status: 502, ...error }),
      choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error', native_finish_reason: null }],
    }),
  headers: ({ identifiers }) => ({ 'x-generation-id': identifiers.next('gen-1795000000-', 20) }),
}

function respondChat({ request, reply, identifiers, cache }: Exchange): Outgoing {
  if (reply.unchecked !== true) checkChat(request.json)
  const body = objectOf(request.json)
  const prompt = readChatPrompt(body, wantsReasoning(body) ? 'shown' : 'none')
  const hit = prompt.inputTokens >= 1024 && cache.hit(prompt.model, body['messages'])
  const read = hit ? Math.floor(prompt.inputTokens / 128) * 128 : 0
  const completion = compose(prompt, reply, callIds(identifiers, 'call_', 24), { read, write: 0 })
  const shared = {
    id: identifiers.next('gen-1795000000-', 20),
    provider: 'Fake',
    model: prompt.model,
    created: Math.floor(Date.now() / 1000),
  }
  const showsReasoning = objectOf(body['reasoning'])['exclude'] !== true
  if (body['stream'] === true) return eventStream(renderStream(shared, completion, showsReasoning))
  return jsonBody(200, renderChat(shared, completion, showsReasoning))
}

function checkChat(json: unknown): void {
  if (!isObject(json)) refuse('Invalid JSON in request body')
  const id = stringOf(json['model'])
  if (id === '' && arrayOf(json['models']).length === 0) refuse('No models provided')
  if (id !== '' && !/^~?[\w.-]+\/[\w.-]+(:[\w-]+)?$/.test(id)) refuse(`${id} is not a valid model ID`)
  if (arrayOf(json['messages']).length === 0) refuse('Input required: specify "prompt" or "messages"')
  const effort = objectOf(json['reasoning'])['effort']
  if (!isAbsent(effort) && !isAbsent(json['reasoning_effort']) && effort !== json['reasoning_effort']) {
    refuse('reasoning.effort and reasoning_effort must match when both are given')
  }
}

function wantsReasoning(body: JsonObject): boolean {
  const { effort, enabled, max_tokens: tokens } = objectOf(body['reasoning'])
  const asked = effort ?? body['reasoning_effort']
  return enabled === true || !isAbsent(tokens) || (!isAbsent(asked) && asked !== 'none')
}

/** Always complete, whatever stream_options say, with what it cost. */
function usage(completion: Completion, model: string): JsonObject {
  const { input, cached, cacheWrite, output, reasoning } = completion.usage
  const cost = costOf(model, input, output)
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    cost,
    is_byok: false,
    prompt_tokens_details: {
      cached_tokens: cached,
      cache_write_tokens: cacheWrite,
      audio_tokens: 0,
      video_tokens: 0,
    },
    cost_details: {
      upstream_inference_cost: null,
      upstream_inference_prompt_cost: costOf(model, input, 0),
      upstream_inference_completions_cost: costOf(model, 0, output),
    },
    completion_tokens_details: { reasoning_tokens: reasoning, image_tokens: 0 },
  }
}

function reasoningDetails(text: string, signature?: string): JsonObject[] {
  const signed = signature === undefined ? {} : { signature }
  return [{ type: 'reasoning.text', text, format: 'anthropic-claude-v1', index: 0, ...signed }]
}

function finish(completion: Completion) {
  const native = { stop: 'stop', length: 'max_tokens', tool_calls: 'tool_use', content_filter: 'refusal' }
  return {
    finish_reason: completion.finish,
    native_finish_reason: completion.nativeFinish ?? native[completion.finish],
  }
}

function renderChat(shared: JsonObject, completion: Completion, showsReasoning: boolean): unknown {
  const shown = showsReasoning && completion.reasoning !== ''
  const calls = completion.calls.map((call, index) => ({
    index,
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }))
  const message = {
    role: 'assistant',
    content: completion.text === '' && calls.length > 0 ? null : completion.text,
    refusal: completion.refusal,
    reasoning: shown ? completion.reasoning : null,
    ...(shown
      ? { reasoning_details: reasoningDetails(completion.reasoning, seal({ reasoning: true })) }
      : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  }
  return {
    ...shared,
    object: 'chat.completion',
    choices: [{ logprobs: null, ...finish(completion), index: 0, message }],
    usage: usage(completion, stringOf(shared['model'])),
  }
}

function* renderStream(
  shared: JsonObject,
  completion: Completion,
  showsReasoning: boolean,
): Iterable<string> {
  const chunk = (
    delta: JsonObject,
    ending: JsonObject = { finish_reason: null, native_finish_reason: null },
  ) =>
    dataEvent({
      ...shared,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { role: 'assistant', content: '', ...delta }, ...ending, logprobs: null }],
    })
  yield comment('OPENROUTER PROCESSING')
  yield comment('OPENROUTER PROCESSING')
  if (showsReasoning && completion.reasoning !== '') {
    for (const text of slices(completion.reasoning, 16)) {
      yield chunk({ reasoning: text, reasoning_details: reasoningDetails(text) })
    }
    yield chunk({ reasoning: null, reasoning_details: reasoningDetails('', seal({ reasoning: true })) })
  }
  for (const content of completion.pieces()) yield chunk({ content })
  for (const [index, call] of completion.calls.entries()) {
    const start = { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }
    yield chunk({ content: null, tool_calls: [start] })
    for (const piece of slices(call.arguments, 10)) {
      yield chunk({
        content: null,
        tool_calls: [{ index, type: 'function', function: { arguments: piece } }],
      })
    }
  }
  yield chunk({}, finish(completion))
  const last = {
    index: 0,
    delta: { role: 'assistant', content: '' },
    finish_reason: null,
    native_finish_reason: null,
  }
  yield dataEvent({
    ...shared,
    object: 'chat.completion.chunk',
    choices: [{ ...last, logprobs: null }],
    usage: usage(completion, stringOf(shared['model'])),
  })
  yield doneEvent
}
