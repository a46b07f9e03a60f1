import { invalidField } from '#kernel/errors'
import { arrayOf, isAbsent, isObject, objectOf, present, stringOf, type JsonObject } from '../../wire/json.ts'
import { optionalNumber, optionalObject, optionalString, requireArray } from '../../wire/request-json.ts'
import { readInput } from '../openai/responses/input.ts'
import type { ResponsesVariant } from '../openai/responses/parts.ts'
import { refuseUnsupported } from '../openai/responses/unsupported.ts'
import { readFormat, readLimit } from '../openai/responses/options.ts'
import { readToolChoice, readTools } from '../openai/responses/tools.ts'
import type { ChatRequest } from '../../provider.ts'
import { readSearch, refuseUnsupportedSearch, searchFields } from './search.ts'

const variant: ResponsesVariant = {
  name: 'Perplexity',
  roles: new Map([
    ['system', 'system'],
    ['developer', 'system'],
    ['user', 'user'],
  ]),
  isComplete: false,
  namesResults: true,
}

/**
 * The one Sonar model there is now. The old tiers live on as presets; naming the model beside the preset keeps it
 * from running another maker's model.
 */
const sonar = 'perplexity/sonar'
const presets: Readonly<Record<string, string | undefined>> = {
  sonar: undefined,
  'sonar-pro': 'low',
  'sonar-reasoning': 'medium',
  'sonar-reasoning-pro': 'medium',
  'sonar-deep-research': 'high',
}

/** Refused: the response would not be what the client requested. */
const unsupported = 'n stop logprobs top_logprobs modalities audio functions function_call'.split(' ')
const known = new Set(
  `model messages stream stream_options tools tool_choice max_tokens max_completion_tokens temperature top_p
  response_format reasoning_effort reasoning language_preference max_steps`
    .split(/\s+/)
    .concat(searchFields, unsupported),
)

export function toAgentRequest({ model, body, isStream }: ChatRequest): JsonObject {
  refuseUnsupported(body, unsupported, variant.name)
  refuseUnsupportedSearch(body)
  const isTier = Object.hasOwn(presets, model)
  return present({
    model: isTier ? sonar : `perplexity/${model}`,
    preset: presets[model],
    input: readInput(body['messages'], variant),
    tools: readAgentTools(model, body),
    max_output_tokens: readLimit(body),
    temperature: optionalNumber(body['temperature'], 'temperature'),
    top_p: optionalNumber(body['top_p'], 'top_p'),
    response_format: readAgentFormat(body['response_format']),
    reasoning: readEffort(body),
    language_preference: optionalString(body['language_preference'], 'language_preference'),
    max_steps: optionalNumber(body['max_steps'], 'max_steps'),
    stream: isStream ? true : undefined,
  })
}

/** Other fields do not change what the response means, and Perplexity refuses unknown ones. */
export function droppedFrom(body: JsonObject): string[] {
  const dropped = Object.keys(body).filter((field) => !known.has(field) && !isAbsent(body[field]))
  const isNamed = arrayOf(body['messages']).some((message) => stringOf(objectOf(message)['name']) !== '')
  return isNamed ? [...dropped, 'messages.name'] : dropped
}

/** Sonar always searched: the tool is offered unless the client disables it. A preset has its own tools unless some are named. */
function readAgentTools(model: string, body: JsonObject): JsonObject[] | undefined {
  const functions = allowedFunctions(body)
  const search = readSearch(body)
  if (body['disable_search'] === true) {
    if (presets[model] !== undefined) {
      throw invalidField('disable_search', `is not supported for ${model}`)
    }
    return functions.length > 0 ? functions : undefined
  }
  const isNeeded = presets[model] === undefined || search !== undefined || functions.length > 0
  return isNeeded ? [search ?? { type: 'web_search' }, ...functions] : undefined
}

/** There is no choice of tools here: none is honoured by offering none, being forced to use one cannot be. */
function allowedFunctions(body: JsonObject): JsonObject[] {
  const functions = readTools(body['tools'], variant.name, false)
  const choice = readToolChoice(body['tool_choice'])
  if (isAbsent(choice) || choice === 'auto') return functions
  if (choice === 'none') return []
  if (isObject(choice) && choice['type'] === 'allowed_tools' && choice['mode'] === 'auto') {
    const names = requireArray(choice['tools'], 'tool_choice.allowed_tools.tools').map(
      (tool) => objectOf(tool)['name'],
    )
    return functions.filter((each) => names.includes(each['name']))
  }
  throw invalidField('tool_choice', 'must be auto or none: Perplexity cannot be forced to call a tool')
}

/** The nesting is that of chat completions, but a schema is required. */
function readAgentFormat(value: unknown): JsonObject | undefined {
  const format = readFormat(value)
  if (!format || format['type'] === 'text') return undefined
  if (format['type'] !== 'json_schema') {
    throw invalidField('response_format.type', 'must be json_schema: Perplexity needs a schema')
  }
  const { type, ...definition } = format
  return { type, json_schema: definition }
}

function readEffort(body: JsonObject): JsonObject | undefined {
  const reasoning = optionalObject(body['reasoning'], 'reasoning') ?? {}
  const effort = optionalString(body['reasoning_effort'] ?? reasoning['effort'], 'reasoning_effort')
  if (effort === undefined || effort === 'none') return undefined
  return { effort: effort === 'max' ? 'xhigh' : effort }
}
