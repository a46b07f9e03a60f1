import { unseal } from '../identifiers.ts'
import { isAbsent, isObject, arrayOf, objectOf, objectsOf, stringOf } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { checkEffort, checkMetadata, checkSampling, describeType, requireModel } from './check-model.ts'
import { checkFunction, checkStrictSchema, checkToolChoice } from './check-tools.ts'
import type { RecordedRequest } from '../record.ts'
import { refuse } from './fault.ts'
import { isStored } from './stored.ts'

const fields = new Set(
  `background context_management conversation include input instructions max_output_tokens max_tool_calls
  metadata model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options
  prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options temperature text
  tool_choice tools top_logprobs top_p truncation user`.split(/\s+/),
)
const moved: Record<string, string> = {
  messages: 'input',
  response_format: 'text.format',
  max_tokens: 'max_output_tokens',
  max_completion_tokens: 'max_output_tokens',
  reasoning_effort: 'reasoning.effort',
  verbosity: 'text.verbosity',
}
const partsOf: Record<string, string[]> = {
  assistant: ['output_text', 'refusal'],
  user: ['input_text', 'input_image', 'input_file'],
  system: ['input_text'],
  developer: ['input_text'],
}

/** Refuses what the Responses API refuses, in its words. */
export function checkResponses(request: RecordedRequest): void {
  const { json } = request
  if (!isObject(json)) refuse('We could not parse the JSON body of your request.')
  const body = json
  const model = requireModel(body)
  for (const key of Object.keys(body)) {
    if (moved[key] !== undefined) {
      refuse(
        `Unsupported parameter: '${key}'. In the Responses API, this parameter has moved to '${moved[key]}'.`,
        key,
        'unsupported_parameter',
      )
    }
    if (!fields.has(key)) refuse(`Unknown parameter: '${key}'.`, key, 'unknown_parameter')
  }
  const effort = checkEffort(model, objectOf(body['reasoning'])['effort'], 'reasoning.effort')
  checkSampling(body, model.efforts.length > 0 && effort !== 'none')
  const tokens = body['max_output_tokens']
  if (!isAbsent(tokens) && Number(tokens) < 16) {
    refuse(
      `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${Number(tokens)} instead.`,
      'max_output_tokens',
      'integer_below_min_value',
    )
  }
  if (!isAbsent(body['previous_response_id']) && !isStored(request, body['previous_response_id'])) {
    refuse(
      `Previous response with id '${stringOf(body['previous_response_id'])}' not found.`,
      'previous_response_id',
      'previous_response_not_found',
    )
  }
  checkInput(body)
  checkResponseTools(body)
  checkFormat(objectOf(objectOf(body['text'])['format']))
  checkMetadata(body['metadata'])
}

function checkInput(body: JsonObject): void {
  const { input } = body
  if (isAbsent(input)) refuse("Missing required parameter: 'input'.", 'input', 'missing_required_parameter')
  if (typeof input === 'string') return
  if (!Array.isArray(input)) {
    refuse(
      `Invalid type for 'input': expected one of a string or array of input items, but got ${describeType(input)} instead.`,
      'input',
      'invalid_type',
    )
  }
  const calls = new Set<string>()
  const outputs = new Set<string>()
  for (const [index, item] of objectsOf(input).entries()) {
    const at = `input[${index}]`
    const type = stringOf(item['type']) || (item['role'] === undefined ? '' : 'message')
    if (type === 'message') checkMessage(item, at)
    else if (type === 'reasoning') checkReasoningItem(item, body['store'] === false)
    else if (type === 'function_call') {
      requireText(item, at, ['call_id', 'name', 'arguments'])
      calls.add(stringOf(item['call_id']))
    } else if (type === 'function_call_output') {
      requireText(item, at, ['call_id'])
      if (isAbsent(item['output'])) {
        refuse(`Missing required parameter: '${at}.output'.`, `${at}.output`, 'missing_required_parameter')
      }
      const id = stringOf(item['call_id'])
      if (!calls.has(id)) refuse(`No tool call found for function call output with call_id ${id}.`, 'input')
      outputs.add(id)
    } else if (type === 'compaction') checkCompaction(item, at)
    else {
      refuse(
        `Invalid value: '${type}'. Supported values are: 'message', 'reasoning', 'function_call', and 'function_call_output'.`,
        at,
        'invalid_value',
      )
    }
  }
  for (const id of calls) {
    if (!outputs.has(id)) refuse(`No tool output found for function call ${id}.`, 'input')
  }
}

function checkCompaction(item: JsonObject, at: string): void {
  if (unseal(stringOf(item['encrypted_content'])) === undefined)
    refuse('The encrypted content could not be verified.', at, 'invalid_encrypted_content')
}

function checkMessage(item: JsonObject, at: string): void {
  const allowed = partsOf[stringOf(item['role'])]
  if (allowed === undefined) {
    refuse(
      `Invalid value: '${stringOf(item['role'])}'. Supported values are: 'assistant', 'system', 'developer', and 'user'.`,
      `${at}.role`,
      'invalid_value',
    )
  }
  for (const key of Object.keys(item)) {
    if (['type', 'role', 'content', 'id', 'status', 'phase'].includes(key)) continue
    refuse(`Unknown parameter: '${at}.${key}'.`, `${at}.${key}`, 'unknown_parameter')
  }
  if (typeof item['content'] === 'string') return
  if (!Array.isArray(item['content'])) {
    refuse(
      `Invalid type for '${at}.content': expected one of a string or array of objects, but got ${describeType(item['content'])} instead.`,
      `${at}.content`,
      'invalid_type',
    )
  }
  for (const [place, part] of objectsOf(item['content']).entries()) {
    const where = `${at}.content[${place}]`
    if (!allowed.includes(stringOf(part['type']))) {
      refuse(
        `Invalid value: '${stringOf(part['type'])}'. Supported values are: ${allowed.map((one) => `'${one}'`).join(', ')}.`,
        where,
        'invalid_value',
      )
    }
    if (
      part['type'] === 'input_image' &&
      typeof part['image_url'] !== 'string' &&
      isAbsent(part['file_id'])
    ) {
      refuse(
        `Invalid type for '${where}.image_url': expected a string, but got ${describeType(part['image_url'])} instead.`,
        `${where}.image_url`,
        'invalid_type',
      )
    }
  }
}

/** A reasoning item is only known by what it carries, when nothing was stored. */
function checkReasoningItem(item: JsonObject, unstored: boolean): void {
  const id = stringOf(item['id'])
  const content = item['encrypted_content']
  if (isAbsent(content)) {
    if (!unstored) return
    refuse(
      `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
      'input',
      null,
      404,
    )
  }
  if (unseal(stringOf(content)) === undefined) {
    refuse(
      `The encrypted content for item ${id} could not be verified.`,
      'input',
      'invalid_encrypted_content',
    )
  }
  if (!Array.isArray(item['summary'])) {
    refuse("Missing required parameter: 'input.summary'.", 'input', 'missing_required_parameter')
  }
}

function requireText(item: JsonObject, at: string, names: string[]): void {
  for (const name of names) {
    if (typeof item[name] === 'string') continue
    refuse(`Missing required parameter: '${at}.${name}'.`, `${at}.${name}`, 'missing_required_parameter')
  }
}

/** A function that does not say whether it is strict is made so as far as its schema permits, and never refused. */
function checkResponseTools(body: JsonObject): void {
  const tools = objectsOf(body['tools'])
  for (const [index, tool] of tools.entries()) {
    if (tool['type'] === 'function') checkFunction(`tools[${index}]`, tool, tool['strict'] === true)
  }
  checkToolChoice(
    body,
    tools.map((tool) => stringOf(tool['name'])),
    (choice) => choice['name'],
  )
}

function checkFormat(format: JsonObject): void {
  const type = format['type'] ?? 'text'
  if (type === 'text' || type === 'json_object') return
  if (type !== 'json_schema') {
    refuse(
      `Invalid value: '${stringOf(type)}'. Supported values are: 'json_object', 'json_schema', and 'text'.`,
      'text.format.type',
      'invalid_value',
    )
  }
  if (stringOf(format['name']) === '') {
    refuse(
      "Missing required parameter: 'text.format.name'.",
      'text.format.name',
      'missing_required_parameter',
    )
  }
  if (arrayOf(format['schema']).length === 0 && !isObject(format['schema'])) {
    refuse(
      "Missing required parameter: 'text.format.schema'.",
      'text.format.schema',
      'missing_required_parameter',
    )
  }
  if (format['strict'] === true) {
    checkStrictSchema(
      `Invalid schema for response_format '${stringOf(format['name'])}'`,
      format['schema'],
      'text.format.schema',
      'invalid_json_schema',
    )
  }
}
