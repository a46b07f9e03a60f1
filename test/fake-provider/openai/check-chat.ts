import { isAbsent, isObject, arrayOf, objectOf, objectsOf, stringOf } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { checkChatMessages } from './check-chat-messages.ts'
import { checkEffort, checkMetadata, checkSampling, requireModel } from './check-model.ts'
import { checkFunction, checkStrictSchema, checkToolChoice } from './check-tools.ts'
import { refuse } from './fault.ts'
import type { GptModel } from './models.ts'

const fields = new Set(
  `audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens
  messages metadata modalities model moderation n parallel_tool_calls prediction presence_penalty
  prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort response_format
  safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools
  top_logprobs top_p user verbosity web_search_options`.split(/\s+/),
)

/** Refused by every model that reasons; some have a default that changes nothing. */
const refusedByReasoning = [
  'presence_penalty',
  'frequency_penalty',
  'logit_bias',
  'stop',
  'prediction',
  'audio',
  'web_search_options',
]
const tiers = ['auto', 'default', 'flex', 'scale', 'priority', 'fast']

/** Refuses what Chat Completions refuses, in its words. */
export function checkChat(json: unknown): void {
  if (!isObject(json)) refuse('We could not parse the JSON body of your request.')
  const body = json
  const model = requireModel(body)
  for (const key of Object.keys(body)) {
    if (!fields.has(key)) refuse(`Unrecognized request argument supplied: ${key}`)
  }
  if (model.responsesOnly) {
    refuse('This model is only supported in v1/responses and not in v1/chat/completions.', 'model', null, 404)
  }
  checkChatMessages(body['messages'])
  // The largest effort is known to /responses only.
  const chatEfforts = model.efforts.filter((effort) => effort !== 'max')
  const effort = checkEffort(model, body['reasoning_effort'], 'reasoning_effort', chatEfforts)
  const reasons = model.efforts.length > 0 && effort !== 'none'
  checkTokens(body, model)
  checkSampling(body, reasons)
  checkReasoningFields(body, model, reasons)
  checkChatTools(body, model, effort)
  checkFormat(body)
  checkRest(body)
}

function checkTokens(body: JsonObject, model: GptModel): void {
  if (!isAbsent(body['max_tokens']) && model.efforts.length > 0) {
    refuse(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_tokens',
      'unsupported_parameter',
    )
  }
  if (!isAbsent(body['max_tokens']) && !isAbsent(body['max_completion_tokens'])) {
    refuse(
      "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
      'max_tokens',
      'invalid_parameter_combination',
    )
  }
  for (const field of ['max_tokens', 'max_completion_tokens']) {
    const value = body[field]
    if (isAbsent(value)) continue
    if (!Number.isInteger(value)) {
      refuse(
        `Invalid type for '${field}': expected an integer, but got a ${typeof value} instead.`,
        field,
        'invalid_type',
      )
    }
    if (Number(value) < 1) {
      refuse(
        `Invalid '${field}': integer below minimum value. Expected a value >= 1, but got ${Number(value)} instead.`,
        field,
        'integer_below_min_value',
      )
    }
  }
}

function checkReasoningFields(body: JsonObject, model: GptModel, reasons: boolean): void {
  if (model.efforts.length > 0) {
    for (const field of refusedByReasoning) {
      const value = body[field]
      if (
        isAbsent(value) ||
        value === 0 ||
        (isObject(value) && field === 'logit_bias' && Object.keys(value).length === 0)
      )
        continue
      refuse(
        `Unsupported parameter: '${field}' is not supported with this model.`,
        field,
        'unsupported_parameter',
      )
    }
    if (arrayOf(body['modalities']).includes('audio')) {
      refuse(
        "Unsupported value: 'modalities' does not support 'audio' with this model.",
        'modalities',
        'unsupported_value',
      )
    }
  }
  if (reasons && body['logprobs'] === true)
    refuse('You are not allowed to request logprobs from this model.', 'logprobs')
  if (!isAbsent(body['top_logprobs']) && body['logprobs'] !== true) {
    refuse("'top_logprobs' is only allowed when 'logprobs' is enabled.", 'top_logprobs')
  }
}

function checkChatTools(body: JsonObject, model: GptModel, effort: string): void {
  const tools = objectsOf(body['tools'])
  for (const [index, tool] of tools.entries()) {
    if (tool['type'] !== 'function' && tool['type'] !== 'custom') {
      refuse(
        `Invalid value: '${stringOf(tool['type'])}'. Supported values are: 'function' and 'custom'.`,
        `tools[${index}].type`,
        'invalid_value',
      )
    }
    if (tool['type'] !== 'function') continue
    const definition = objectOf(tool['function'])
    checkFunction(`tools[${index}].function`, definition, definition['strict'] === true)
  }
  checkToolChoice(
    body,
    tools.map((tool) => stringOf(objectOf(tool['function'])['name'])),
    (choice) => objectOf(choice['function'])['name'],
  )
  if (!tools.some((tool) => tool['type'] === 'function') || effort === 'none') return
  const sent = !isAbsent(body['reasoning_effort'])
  if (model.toolsWithReasoning === 'no') {
    refuse(
      `Function tools with reasoning_effort are not supported for ${model.id} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`,
      'reasoning_effort',
    )
  }
  if (model.toolsWithReasoning === 'unless-effort' && sent) {
    refuse(
      `Function tools with reasoning_effort are not supported for ${model.id} in /v1/chat/completions. Please use /v1/responses instead.`,
      'reasoning_effort',
    )
  }
}

function checkFormat(body: JsonObject): void {
  const format = objectOf(body['response_format'])
  if (isAbsent(body['response_format']) || format['type'] === 'text') return
  if (format['type'] === 'json_object') {
    if (!/json/i.test(JSON.stringify(body['messages']))) {
      refuse(
        "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
        'messages',
      )
    }
    return
  }
  if (format['type'] !== 'json_schema') {
    refuse(
      `Invalid value: '${stringOf(format['type'])}'. Supported values are: 'json_object', 'json_schema', and 'text'.`,
      'response_format.type',
      'invalid_value',
    )
  }
  const definition = objectOf(format['json_schema'])
  const name = stringOf(definition['name'])
  if (name === '') {
    refuse(
      "Missing required parameter: 'response_format.json_schema.name'.",
      'response_format.json_schema.name',
      'missing_required_parameter',
    )
  }
  if (definition['strict'] === true) {
    checkStrictSchema(
      `Invalid schema for response_format '${name}'`,
      definition['schema'],
      'response_format',
      'invalid_json_schema',
    )
  }
}

function checkRest(body: JsonObject): void {
  if (!isAbsent(body['stream_options']) && body['stream'] !== true) {
    refuse("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options')
  }
  if (!isAbsent(body['service_tier']) && !tiers.includes(stringOf(body['service_tier']))) {
    refuse(
      `Invalid value: '${stringOf(body['service_tier'])}'. Supported values are: ${tiers.map((tier) => `'${tier}'`).join(', ')}.`,
      'service_tier',
      'invalid_value',
    )
  }
  const count = body['n']
  if (!isAbsent(count) && (!Number.isInteger(count) || Number(count) < 1 || Number(count) > 128)) {
    refuse(
      `Invalid 'n': expected an integer between 1 and 128, but got ${JSON.stringify(count)} instead.`,
      'n',
      'invalid_value',
    )
  }
  if (arrayOf(body['stop']).length > 4) {
    refuse(
      `Invalid 'stop': array too long. Expected an array with maximum length 4, but got an array with length ${arrayOf(body['stop']).length} instead.`,
      'stop',
      'array_above_max_length',
    )
  }
  checkMetadata(body['metadata'])
  if (!isAbsent(body['metadata']) && body['store'] !== true) {
    refuse("The 'metadata' parameter is only allowed when 'store' is enabled.", 'metadata')
  }
}
