import { compose } from '../completion.ts'
import type { Completion } from '../completion.ts'
import { isAbsent, isObject, objectOf, objectsOf, stringOf } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { readChatPrompt } from '../openai/chat-prompt.ts'
import { dataEvent } from '../sse.ts'
import { eventStream, jsonBody } from '../provider-api.ts'
import type { Exchange, Outgoing } from '../provider-api.ts'
import { refuse, refuseShape } from './fault.ts'
import { dollars, pages } from './search.ts'

const models = ['sonar', 'sonar-pro', 'sonar-reasoning', 'sonar-reasoning-pro', 'sonar-deep-research']

/** The old chat path. Reasoning models speak their thoughts inside the text. */
export function respondSonar({ request, reply, identifiers }: Exchange): Outgoing {
  if (reply.unchecked !== true) checkSonar(request.json)
  const body = objectOf(request.json)
  const thinks = /reasoning|deep-research/.test(stringOf(body['model']))
  const completion = compose(readChatPrompt(body, thinks ? 'shown' : 'none'), reply, () => '')
  const shared = {
    id: identifiers.hexadecimal('', 32),
    model: body['model'],
    created: Math.floor(Date.now() / 1000),
    citations: pages.map((page) => page.url),
    search_results: pages.map(({ id: _id, ...page }) => page),
  }
  const thought = completion.reasoning === '' ? '' : `<think>\n${completion.reasoning}\n</think>\n\n`
  if (body['stream'] === true) return eventStream(renderStream(shared, thought, completion))
  return jsonBody(200, {
    ...shared,
    object: 'chat.completion',
    choices: [choice(thought + completion.text, finish(completion))],
    usage: usage(completion),
  })
}

function choice(content: string, finishReason: string | null, delta = ''): JsonObject {
  return {
    index: 0,
    message: { role: 'assistant', content },
    delta: { role: 'assistant', content: delta },
    finish_reason: finishReason,
  }
}

/** Every chunk repeats the whole message so far and the usage; no `[DONE]` at the end. */
function* renderStream(shared: JsonObject, thought: string, completion: Completion): Iterable<string> {
  let said = ''
  const pieces = function* () {
    if (thought !== '') yield thought
    yield* completion.pieces()
  }
  for (const piece of pieces()) {
    said += piece
    const choices = [choice(said, null, piece)]
    yield dataEvent({ ...shared, object: 'chat.completion.chunk', choices, usage: usage(completion) })
  }
  const choices = [choice(said, finish(completion))]
  yield dataEvent({ ...shared, object: 'chat.completion.done', choices, usage: usage(completion) })
}

function finish(completion: Completion): string {
  return completion.finish === 'length' ? 'length' : 'stop'
}

function usage(completion: Completion): JsonObject {
  const { input, output, reasoning } = completion.usage
  const inputCost = dollars(input, 1)
  const outputCost = dollars(output, 1)
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    search_context_size: 'low',
    num_search_queries: 1,
    ...(reasoning > 0 ? { reasoning_tokens: reasoning } : {}),
    cost: {
      input_tokens_cost: inputCost,
      output_tokens_cost: outputCost,
      request_cost: 0.005,
      total_cost: Math.round((inputCost + outputCost + 0.005) * 1e7) / 1e7,
    },
  }
}

function checkSonar(json: unknown): void {
  if (!isObject(json)) refuse('Request body is not valid JSON')
  const { model, response_format: format } = json
  if (!models.includes(stringOf(model))) {
    refuse(
      `Invalid model '${stringOf(model)}'. Permitted models can be found in the documentation at https://docs.perplexity.ai/getting-started/models.`,
      400,
      'invalid_model',
    )
  }
  if (!isAbsent(format) && !['text', 'json_schema', 'regex'].includes(stringOf(objectOf(format)['type']))) {
    refuseShape(
      'response_format',
      "Input tag found using 'type' does not match any of the expected tags: 'text', 'json_schema', 'regex'",
    )
  }
  if (!isAbsent(json['tools'])) refuse('Tool calling is not supported for this model.')
  const messages = objectsOf(json['messages'])
  if (messages.length === 0)
    refuseShape('messages', 'List should have at least 1 item after validation, not 0')
  const wrong = messages.find(
    (message) => !['system', 'user', 'assistant', 'tool'].includes(stringOf(message['role'])),
  )
  if (wrong !== undefined) refuseShape('messages', "Input should be 'system', 'user', 'assistant' or 'tool'")
  const turns = messages.filter((message) => message['role'] !== 'system').map((message) => message['role'])
  const alternates = turns.every((role, index) => role === (index % 2 === 0 ? 'user' : 'assistant'))
  if (!alternates) {
    refuse(
      'After the (optional) system message(s), user or tool message(s) should alternate with assistant message(s).',
      400,
      'invalid_message',
    )
  }
  if (turns.at(-1) !== 'user') refuse('Last message must have role `user` or `tool`.', 400, 'invalid_message')
}
