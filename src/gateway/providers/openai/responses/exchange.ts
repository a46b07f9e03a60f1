import type { ChatExchange, ChatRequest } from '../../../provider.ts'
import { arrayOf, isAbsent, objectOf, present, stringOf, type JsonObject } from '../../../wire/json.ts'
import { contentOf } from '../../../wire/large-json.ts'
import { neverStreamed, readTokenCount } from '../../../wire/token-count.ts'
import { optionalObject, optionalString } from '../../../wire/request-json.ts'
import { effortOf, unsupportedSampling } from '../family.ts'
import { readResponse } from './completion.ts'
import type { ResponseRules } from './completion.ts'
import { readInput } from './input.ts'
import type { ResponsesVariant } from './parts.ts'
import { refuseUnsupported } from './unsupported.ts'
import { readFormat, readLimit, searchTool } from './options.ts'
import { ResponseReader } from './stream.ts'
import { readToolChoice, readTools } from './tools.ts'
import { responseUsage } from './usage.ts'

const variant: ResponsesVariant = {
  name: 'The Responses API',
  roles: new Map(['system', 'developer', 'user'].map((role) => [role, role])),
  isComplete: true,
  namesResults: false,
}

/** Carried over by another name or into another place; every other field keeps its own name. */
const translated = new Set(
  `model messages tools tool_choice response_format max_tokens max_completion_tokens reasoning_effort reasoning
  verbosity stream stream_options web_search_options metadata n stop presence_penalty frequency_penalty logit_bias
  logprobs top_logprobs seed prediction store modalities audio functions function_call`.split(/\s+/),
)
/** Left out: they do not change what the response means. */
const harmless = ['seed', 'prediction', 'store', 'metadata']
/** Refused: the response would not be what the client requested. */
const unsupported =
  'n stop presence_penalty frequency_penalty logit_bias logprobs top_logprobs modalities audio functions function_call'.split(
    ' ',
  )

/** Makes a chat completion through the Responses API, for models and requests that Chat Completions refuses. */
export function chatThroughResponses(given: ChatRequest): ChatExchange {
  const adapted = unsupportedSampling(given)
  const request = adapted.size === 0 ? given : { ...given, body: without(given.body, adapted) }
  const { body } = request
  refuseUnsupported(body, unsupported, `${request.requestedModel} with these settings`)
  const rules: ResponseRules = {
    name: 'OpenAI',
    model: request.requestedModel,
    wantsUsage: request.wantsUsage,
    usageOf: responseUsage,
    decorate: (_response, { annotations }) => ({ annotations, members: {}, usage: {} }),
  }
  return {
    path: '/responses',
    ...contentOf(toResponses(request), request),
    dropped: [...droppedFrom(body), ...adapted],
    adapted: adapted.adapted,
    response: (bytes) => readResponse(bytes, rules),
    stream: () => new ResponseReader(rules),
  }
}

/** What decides how many tokens the input has; the route refuses the rest. */
const counted = ['model', 'input', 'tools', 'tool_choice', 'text', 'reasoning', 'parallel_tool_calls']

/** Asks for the number of input tokens. */
export function countInputTokens(request: ChatRequest): ChatExchange {
  const asked = toResponses({ ...request, body: without(request.body, unsupportedSampling(request)) })
  const body = Object.fromEntries(Object.entries(asked).filter(([field]) => counted.includes(field)))
  return {
    path: '/responses/input_tokens',
    ...contentOf(body, request),
    dropped: [],
    response: (bytes) => readTokenCount('OpenAI', bytes, 'input_tokens'),
    stream: neverStreamed,
  }
}

function without(body: JsonObject, fields: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([field]) => !fields.has(field)))
}

function toResponses({ model, body, isStream }: ChatRequest): JsonObject {
  const rest = Object.entries(body).filter(([key, value]) => !translated.has(key) && !isAbsent(value))
  const search = searchTool(body['web_search_options'])
  const tools = [...readTools(body['tools'], variant.name, true), ...(search ? [search] : [])]
  const reasoning = optionalObject(body['reasoning'], 'reasoning') ?? {}
  const effort = optionalString(effortOf(body), 'reasoning_effort')
  const padding = objectOf(body['stream_options'])['include_obfuscation']
  const format = readFormat(body['response_format'])
  const verbosity = optionalString(body['verbosity'], 'verbosity')
  return present({
    ...Object.fromEntries(rest),
    model,
    input: readInput(body['messages'], variant),
    tools: tools.length > 0 ? tools : undefined,
    tool_choice: readToolChoice(body['tool_choice']),
    text: format || verbosity ? present({ format, verbosity }) : undefined,
    max_output_tokens: readLimit(body),
    // A summary is only written while the model reasons.
    reasoning: effort === 'none' ? { effort } : present({ effort, summary: reasoning['summary'] ?? 'auto' }),
    stream: isStream ? true : undefined,
    stream_options: isStream && !isAbsent(padding) ? { include_obfuscation: padding } : undefined,
    // Nothing stays at the provider, so reasoning must travel with the client to come back.
    store: false,
    include: ['reasoning.encrypted_content'],
  })
}

function droppedFrom(body: JsonObject): string[] {
  const dropped = harmless.filter((field) => !isAbsent(body[field]) && body[field] !== false)
  const isNamed = arrayOf(body['messages']).some((message) => stringOf(objectOf(message)['name']) !== '')
  return isNamed ? [...dropped, 'messages.name'] : dropped
}
