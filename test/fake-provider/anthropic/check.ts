import { isAbsent, isObject, arrayOf, objectOf, objectsOf, stringOf } from '../json.ts'
import type { JsonObject } from '../json.ts'
import type { RecordedRequest } from '../record.ts'
import { checkMessages } from './check-messages.ts'
import { checkStrictSchema } from './check-schema.ts'
import { refuse } from './fault.ts'
import { findClaude } from './models.ts'
import type { ClaudeModel, Effort } from './models.ts'
import { turnsOf } from './signature.ts'

const fields = [
  'model',
  'messages',
  'max_tokens',
  'system',
  'metadata',
  'stop_sequences',
  'stream',
  'temperature',
  'top_p',
  'top_k',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'service_tier',
  'container',
  'mcp_servers',
  'context_management',
  'cache_control',
  'inference_geo',
  'speed',
]
const requestLimit = 32 * 1024 * 1024

/** Refuses what the Messages API refuses, in its words. */
export function checkRequest(request: RecordedRequest): void {
  if (request.bodyBytes > requestLimit) refuse('Request exceeds the maximum size', 413)
  const body = request.json
  if (!isObject(body)) refuse('The request body is not valid JSON')
  for (const key of Object.keys(body)) {
    if (!fields.includes(key)) refuse(`${key}: Extra inputs are not permitted`)
  }
  for (const key of ['model', 'max_tokens']) if (isAbsent(body[key])) refuse(`${key}: Field required`)
  const model = findClaude(stringOf(body['model']))
  if (model === undefined) refuse(`model: ${stringOf(body['model'])}`, 404, 'not_found_error')
  checkLimits(body, model)
  checkSampling(body, model, request.headers['anthropic-version'] === '2026-10-21')
  checkThinkingMode(body, model)
  checkTools(body, model)
  const betas = String(request.headers['anthropic-beta'] ?? '')
  const binding = objectOf(objectOf(body['thinking'])['block_binding'])
  const bindingDropped =
    betas.includes('thinking-binding-controls-2026-08-01') &&
    binding['prefix_mismatch_behavior'] === 'drop_block'
  checkMessages(body, model, bindingDropped)
}

function checkLimits(body: JsonObject, model: ClaudeModel): void {
  const tokens = body['max_tokens']
  if (!Number.isInteger(tokens)) refuse('max_tokens: Input should be a valid integer')
  if (Number(tokens) < 0) refuse('max_tokens: Input should be greater than or equal to 0')
  if (Number(tokens) > model.output) {
    refuse(
      `max_tokens: ${String(tokens)} > ${model.output}, which is the maximum allowed number of output tokens for ${model.id}`,
    )
  }
  if (body['stream'] !== undefined && typeof body['stream'] !== 'boolean') {
    refuse('stream: Input should be a valid boolean')
  }
  for (const stop of arrayOf(body['stop_sequences'])) {
    if (stringOf(stop).trim() === '') refuse('stop_sequences: each stop sequence must contain non-whitespace')
  }
  for (const key of Object.keys(objectOf(body['metadata']))) {
    if (key !== 'user_id') refuse(`metadata.${key}: Extra inputs are not permitted`)
  }
  const tier = body['service_tier']
  if (tier !== undefined && tier !== 'auto' && tier !== 'standard_only') {
    refuse("service_tier: Input should be 'auto' or 'standard_only'")
  }
  const { system } = body
  if (Array.isArray(system)) {
    for (const [index, block] of system.map(objectOf).entries()) {
      if (block['type'] !== 'text') refuse(`system.${index}.type: Input should be 'text'`)
      if (stringOf(block['text']).trim() === '') refuse('system: text content blocks must be non-empty')
    }
  } else if (system !== undefined && typeof system !== 'string') {
    refuse('system: Input should be a valid list')
  }
  const marks = JSON.stringify(body).split('"cache_control":{').length - 1
  if (marks > 4) refuse(`A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`)
}

function checkSampling(body: JsonObject, model: ClaudeModel, versionWithout: boolean): void {
  const { temperature, top_p: topP, top_k: topK } = body
  const present = Object.entries({ temperature, top_p: topP, top_k: topK }).filter(
    ([, value]) => !isAbsent(value),
  )
  for (const [name, value] of present) {
    if (typeof value !== 'number') refuse(`${name}: Input should be a valid number`)
    if (versionWithout) refuse(`${name}: Extra inputs are not permitted`)
    const neutral = (name === 'temperature' && value === 1) || (name === 'top_p' && value >= 0.99)
    if (!model.sampling && !neutral) refuse(`\`${name}\` is deprecated for this model.`)
    if (name !== 'top_k' && (value < 0 || value > 1)) refuse(`${name}: range: 0..1`)
  }
  if (!model.sampling) return
  if (!isAbsent(temperature) && !isAbsent(topP)) {
    refuse('`temperature` and `top_p` cannot both be specified for this model. Please use only one.')
  }
  const thinking = objectOf(body['thinking'])['type']
  if ((thinking === 'enabled' || thinking === 'adaptive') && !isAbsent(temperature) && temperature !== 1) {
    refuse('`temperature` may only be set to 1 when thinking is enabled.')
  }
}

function checkThinkingMode(body: JsonObject, model: ClaudeModel): void {
  const effort = objectOf(body['output_config'])['effort']
  if (effort !== undefined && model.efforts.length === 0) {
    refuse('This model does not support the effort parameter.')
  }
  if (effort !== undefined && !model.efforts.includes(effort as Effort)) {
    refuse(
      `output_config.effort: '${stringOf(effort)}' is not supported for this model. Supported values: ${model.efforts.join(', ')}`,
    )
  }
  const format = objectOf(objectOf(body['output_config'])['format'])
  if (format['type'] === 'json_schema') checkStrictSchema('output_config.format.schema', format['schema'])
  else if (format['type'] !== undefined) refuse("output_config.format.type: Input should be 'json_schema'")
  if (isAbsent(body['thinking'])) return
  const { type, budget_tokens: budget } = objectOf(body['thinking'])
  if (!model.thinking.some((accepted) => accepted === type)) {
    refuse(
      `"thinking.type.${String(type)}" is not supported for this model. Use "thinking.type.${model.thinking[0]}" and "output_config.effort" to control thinking behavior.`,
    )
  }
  if ((type === 'disabled' || type === 'between_tools') && (effort === 'xhigh' || effort === 'max')) {
    refuse(`output_config.effort: '${effort}' is not supported with "thinking.type.${type}"`)
  }
  if (type !== 'enabled') return
  if (typeof budget !== 'number') refuse('thinking.enabled.budget_tokens: Field required')
  if (budget < 1024) refuse('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024')
  if (budget >= Number(body['max_tokens'])) {
    refuse('`max_tokens` must be greater than `thinking.budget_tokens`.')
  }
}

function checkTools(body: JsonObject, model: ClaudeModel): void {
  const tools = objectsOf(body['tools'])
  const names = tools.map((tool) => stringOf(tool['name']))
  for (const [index, tool] of tools.entries()) checkTool(`tools.${index}.custom`, tool)
  if (new Set(names).size < names.length) refuse('tools: Tool names must be unique.')
  const used = turnsOf(body['messages']).some((turn) =>
    turn.content.some((block) => block['type'] === 'tool_use' || block['type'] === 'tool_result'),
  )
  if (used && tools.length === 0) {
    refuse('Requests which include `tool_use` or `tool_result` blocks must define tools')
  }
  if (isAbsent(body['tool_choice'])) return
  if (tools.length === 0) refuse('tool_choice may only be specified while providing tools')
  const choice = objectOf(body['tool_choice'])
  const type = stringOf(choice['type'])
  if (!['auto', 'any', 'tool', 'none'].includes(type)) {
    refuse(
      `tool_choice: Input tag '${type}' found using 'type' does not match any of the expected tags: 'auto', 'any', 'tool', 'none'`,
    )
  }
  if (type === 'none' && 'disable_parallel_tool_use' in choice) {
    refuse('tool_choice.none.disable_parallel_tool_use: Extra inputs are not permitted')
  }
  if (type !== 'any' && type !== 'tool') return
  if (!model.forcedTools) refuse(`tool_choice: forced tool use ("${type}") is not supported for this model.`)
  const thinking = objectOf(body['thinking'])['type']
  if (thinking === 'enabled') refuse('Thinking may not be enabled when tool_choice forces tool use.')
  if (type === 'tool' && !names.includes(stringOf(choice['name']))) {
    refuse(`tool_choice: Tool '${stringOf(choice['name'])}' not found in provided tools`)
  }
}

function checkTool(at: string, tool: JsonObject): void {
  if (!isAbsent(tool['type']) && tool['type'] !== 'custom') {
    if (!/_\d{8}$/.test(stringOf(tool['type']))) {
      refuse(
        `${at.replace('.custom', '')}: Input tag '${stringOf(tool['type'])}' found using 'type' does not match any of the expected tags`,
      )
    }
    return
  }
  const known = [
    'type',
    'name',
    'description',
    'input_schema',
    'strict',
    'cache_control',
    'eager_input_streaming',
    'defer_loading',
    'input_examples',
    'allowed_callers',
  ]
  for (const key of Object.keys(tool)) {
    if (!known.includes(key)) refuse(`${at}.${key}: Extra inputs are not permitted`)
  }
  if (!/^[a-zA-Z0-9_-]{1,128}$/.test(stringOf(tool['name']))) {
    refuse(`${at}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`)
  }
  if (!isObject(tool['input_schema'])) refuse(`${at}.input_schema: Field required`)
  if (tool['input_schema']['type'] !== 'object') refuse(`${at}.input_schema.type: Input should be 'object'`)
  if (tool['strict'] === true) checkStrictSchema(at, tool['input_schema'])
}
