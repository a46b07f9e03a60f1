import { callIds, compose } from '../completion.ts'
import { arrayOf, numberOf, objectOf, objectsOf, stringOf } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { countInput, emptyPrompt } from '../prompt.ts'
import type { Prompt } from '../prompt.ts'
import type { RecordedRequest } from '../record.ts'
import { namedEvent } from '../sse.ts'
import { eventStream, jsonBody } from '../provider-api.ts'
import type { Exchange, Outgoing, ProviderApi } from '../provider-api.ts'
import { checkRequest } from './check.ts'
import { anthropicError, fault, refuse } from './fault.ts'
import { claudeModels, describeClaude, findClaude } from './models.ts'
import { renderMessage, renderStream } from './render.ts'
import type { Rendering } from './render.ts'
import { sign, turnsOf } from './signature.ts'

const versions = ['2023-06-01', '2026-10-21']

export const anthropic: ProviderApi = {
  name: 'anthropic',
  endpoints: [
    { name: 'messages', method: 'POST', path: /^\/v1\/messages$/, respond: respondMessage },
    {
      name: 'count_tokens',
      method: 'POST',
      path: /^\/v1\/messages\/count_tokens$/,
      respond: ({ request }) =>
        jsonBody(200, { input_tokens: readPrompt(objectOf(request.json)).inputTokens }),
    },
    { name: 'models', method: 'GET', path: /^\/v1\/models$/, respond: respondModels },
  ],
  authenticate(request) {
    const key = request.headers['x-api-key']
    if (key === undefined) refuse('x-api-key header is required', 401)
    if (String(key).includes('bad')) refuse('invalid x-api-key', 401)
    const version = request.headers['anthropic-version']
    if (version === undefined) refuse('anthropic-version: header is required')
    if (!versions.includes(String(version))) {
      refuse(`anthropic-version: "${String(version)}" is not a valid version`)
    }
  },
  fault,
  streamFault: (error) =>
    namedEvent('error', { type: 'error', error: anthropicError({ status: 529, ...error }) }),
  headers: ({ identifiers }) => ({
    'request-id': identifiers.next('req_01', 22),
    'anthropic-organization-id': '00000000-0000-4000-8000-000000000000',
    'anthropic-ratelimit-requests-limit': '4000',
    'anthropic-ratelimit-requests-remaining': '3999',
    'anthropic-ratelimit-requests-reset': new Date().toISOString(),
  }),
}

function respondMessage({ request, reply, identifiers, cache }: Exchange): Outgoing {
  if (reply.unchecked !== true) checkRequest(request)
  const body = objectOf(request.json)
  const prompt = readPrompt(body)
  const written = cachedTokens(body)
  const read = written > 0 && cache.hit(`anthropic ${prompt.model}`, cachedPart(body))
  const completion = compose(prompt, reply, callIds(identifiers, 'toolu_01', 22), {
    read: read ? written : 0,
    write: read ? 0 : written,
  })
  const shown = prompt.reasoning === 'shown' || reply.reasoning !== undefined
  const how: Rendering = {
    id: identifiers.next('msg_01', 22),
    model: prompt.model,
    signature: sign(body, shown ? completion.reasoning : ''),
    thinks: completion.reasoning !== '',
    shown,
    longCache: JSON.stringify(body).includes('"ttl":"1h"'),
  }
  if (body['stream'] === true) return eventStream(renderStream(completion, how))
  return jsonBody(200, renderMessage(completion, how))
}

function readPrompt(body: JsonObject): Prompt {
  const turns = turnsOf(body['messages'])
  const last = turns.findLast((turn) => turn.role === 'user')
  const content = last?.content ?? []
  const choice = objectOf(body['tool_choice'])
  const format = objectOf(objectOf(body['output_config'])['format'])
  return {
    ...emptyPrompt,
    model: stringOf(body['model']),
    text: texts(content.filter((block) => block['type'] === 'text')),
    images: content.filter((block) => block['type'] === 'image').length,
    documents: content.filter((block) => block['type'] === 'document').length,
    tools: objectsOf(body['tools'])
      .filter((tool) => tool['input_schema'] !== undefined)
      .map((tool) => ({ name: stringOf(tool['name']), schema: tool['input_schema'] })),
    toolChoice: readToolChoice(choice),
    parallel: choice['disable_parallel_tool_use'] !== true,
    toolResults: content.filter((block) => block['type'] === 'tool_result').map(resultText),
    json: format['type'] === 'json_schema' ? { schema: format['schema'] } : undefined,
    stop: arrayOf(body['stop_sequences']).map(stringOf),
    maxTokens: numberOf(body['max_tokens']),
    reasoning: readReasoning(body),
    inputTokens: countInput([body['system'], body['messages'], body['tools']]),
  }
}

/** Later models think by default and show nothing of it unless asked for a summary. */
function readReasoning(body: JsonObject): Prompt['reasoning'] {
  const model = findClaude(stringOf(body['model']))
  const { type, display } = objectOf(body['thinking'])
  if (type === 'disabled' || type === 'between_tools') return 'none'
  if (type === undefined && model?.alwaysThinks !== true) return 'none'
  if (type === 'enabled' || model?.sampling === true) return display === 'omitted' ? 'hidden' : 'shown'
  return display === 'summarized' ? 'shown' : 'hidden'
}

function readToolChoice(choice: JsonObject): Prompt['toolChoice'] {
  if (choice['type'] === 'tool') return { name: stringOf(choice['name']) }
  if (choice['type'] === 'any') return 'required'
  return choice['type'] === 'none' ? 'none' : 'auto'
}

function resultText(block: JsonObject): string {
  return typeof block['content'] === 'string' ? block['content'] : texts(objectsOf(block['content']))
}

function texts(blocks: JsonObject[]): string {
  return blocks.map((block) => stringOf(block['text'])).join('\n')
}

/** With a cache mark everything but the last message counts as cached; with the mark there, all. */
function cachedPart(body: JsonObject): unknown[] {
  const messages = arrayOf(body['messages'])
  const marked = JSON.stringify(messages.at(-1) ?? '').includes('"cache_control"')
  return [body['tools'], body['system'], marked ? messages : messages.slice(0, -1)]
}

function cachedTokens(body: JsonObject): number {
  return JSON.stringify(body).includes('"cache_control"') ? countInput(cachedPart(body)) : 0
}

function respondModels({ request }: Exchange): Outgoing {
  const limit = pageLimit(request)
  const after = request.query.get('after_id')
  const start = after === null ? 0 : claudeModels.findIndex((model) => model.id === after) + 1
  const page = claudeModels.slice(start, start + limit)
  return jsonBody(200, {
    data: page.map(describeClaude),
    has_more: start + limit < claudeModels.length,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  })
}

function pageLimit(request: RecordedRequest): number {
  const limit = Number(request.query.get('limit') ?? 20)
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) {
    refuse('limit: Input should be between 1 and 1000')
  }
  return limit
}
