import { isAbsent, isObject, objectOf, objectsOf, stringOf } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { refuse } from './fault.ts'

const fields = new Set(
  `model models preset input instructions tools max_output_tokens temperature top_p response_format reasoning
  max_steps previous_response_id store stream language_preference background`.split(/\s+/),
)
const presets = ['fast', 'low', 'medium', 'high', 'xhigh']
const efforts = ['minimal', 'low', 'medium', 'high', 'xhigh']
const toolTypes = [
  'web_search',
  'fetch_url',
  'function',
  'image_search',
  'people_search',
  'finance_search',
  'sandbox',
]
const knownModel = /^(perplexity\/sonar|(openai|anthropic|google|xai|z-ai|nvidia)\/[\w.:-]+)$/

/** Refuses what the Agent API refuses; an unknown field is a 400. */
export function checkAgent(json: unknown): void {
  if (!isObject(json)) refuse('Request body is not valid JSON')
  const body = json
  const unknown = Object.keys(body).find((key) => !fields.has(key))
  if (unknown !== undefined) refuse(`json: unknown field "${unknown}"`)
  const { model, preset } = body
  if (isAbsent(model) && isAbsent(preset) && isAbsent(body['models']))
    refuse('one of model, models or preset is required')
  if (!isAbsent(model) && !knownModel.test(stringOf(model))) {
    refuse(
      `Invalid model '${stringOf(model)}'. Permitted models can be found in the documentation at https://docs.perplexity.ai/docs/agent-api/models.`,
      400,
      'invalid_model',
    )
  }
  if (!isAbsent(preset) && !presets.includes(stringOf(preset))) refuse(`Invalid preset '${stringOf(preset)}'`)
  const effort = objectOf(body['reasoning'])['effort']
  if (!isAbsent(effort) && !efforts.includes(stringOf(effort)))
    refuse(`Invalid reasoning effort '${stringOf(effort)}'`)
  const format = objectOf(body['response_format'])
  if (!isAbsent(body['response_format']) && format['type'] !== 'text') {
    if (format['type'] !== 'json_schema')
      refuse(`response_format: unsupported type '${stringOf(format['type'])}'`)
    if (!isObject(objectOf(format['json_schema'])['schema']))
      refuse('response_format.json_schema.schema is required')
  }
  checkInput(body['input'])
  for (const tool of objectsOf(body['tools'])) {
    if (!toolTypes.includes(stringOf(tool['type']))) refuse(`unknown tool type '${stringOf(tool['type'])}'`)
    if (tool['type'] === 'function' && stringOf(tool['name']) === '')
      refuse('tools: function name is required')
  }
}

function checkInput(input: unknown): void {
  if (isAbsent(input) || input === '') refuse('input is required')
  if (typeof input === 'string') return
  const calls = new Set<string>()
  for (const [index, item] of objectsOf(input).entries()) {
    const type = stringOf(item['type'])
    if (type === 'message') checkMessage(item, index)
    else if (type === 'function_call') calls.add(stringOf(item['call_id']))
    else if (type === 'function_call_output') {
      if (!calls.has(stringOf(item['call_id'])))
        refuse(`input[${index}]: no function_call with call_id '${stringOf(item['call_id'])}'`)
    } else refuse(`input[${index}]: unknown item type '${type}'`)
  }
}

function checkMessage(item: JsonObject, index: number): void {
  const role = stringOf(item['role'])
  if (!['system', 'user', 'assistant'].includes(role)) refuse(`input[${index}]: invalid role '${role}'`)
  if (typeof item['content'] === 'string') return
  for (const part of objectsOf(item['content'])) {
    const type = stringOf(part['type'])
    if (!['input_text', 'input_image', 'output_text'].includes(type)) {
      refuse(`input[${index}]: unsupported content type '${type}'`)
    }
    if (type === 'input_image' && !/^(https:\/\/|data:image\/)/.test(stringOf(part['image_url']))) {
      refuse(`input[${index}]: image_url must be an https URL or a data URI`)
    }
  }
}
