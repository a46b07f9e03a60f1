import { createHash } from 'node:crypto'
import { invalidField } from '#kernel/errors'
import { arrayOf, isAbsent, type JsonObject } from '../../wire/json.ts'
import {
  optionalBoolean,
  optionalObject,
  optionalString,
  requireArray,
  requireObject,
  requireString,
} from '../../wire/request-json.ts'
import { ToolNames } from '../../chat/tool-names.ts'
import { cacheControlOf } from './cache-control.ts'
import type { CacheContext } from './context.ts'
import { isClosedSchema } from './strict.ts'

/** Chat tools have shorter names. The same long name always gives the same short one, so that caches stay good. */
export function chatNames(): ToolNames {
  return new ToolNames(/^[a-zA-Z0-9_-]{1,64}$/, (name) => {
    const digest = createHash('sha256').update(name).digest('hex').slice(0, 8)
    return `${name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 51)}_${digest}`
  })
}

export interface ToolFields {
  tools?: unknown[]
  tool_choice?: unknown
  parallel_tool_calls?: false
}

export function toToolFields(body: JsonObject, names: ToolNames, context: CacheContext): ToolFields {
  const list = isAbsent(body['tools']) ? [] : requireArray(body['tools'], 'tools')
  const offered = list.map((item, index) => requireObject(item, `tools.${index}`))
  offered.forEach(refuseForeign)
  names.offer(offered.map((tool, index) => requireString(tool['name'], `tools.${index}.name`)))
  const tools = offered.map((tool, index) => toTool(tool, `tools.${index}`, names, context))
  const choice = optionalObject(body['tool_choice'], 'tool_choice')
  if (tools.length === 0) {
    if (choice && choice['type'] !== 'auto' && choice['type'] !== 'none')
      throw invalidField('tool_choice', 'asks for a tool, but tools offers none')
    return {}
  }
  return { tools, ...(choice ? toChoice(choice, names) : {}) }
}

/** Tools that the maker of the model runs, or that only its own models know, are no tools to this one. */
function refuseForeign(tool: JsonObject, index: number): void {
  const type = optionalString(tool['type'], `tools.${index}.type`)
  if (type === undefined || type === 'custom') return
  throw invalidField(
    `tools.${index}.type`,
    `must be custom for this model: ${type.slice(0, 64)} belongs to another provider`,
  )
}

const harmless = ['eager_input_streaming', 'defer_loading', 'input_examples']

function toTool(tool: JsonObject, path: string, names: ToolNames, context: CacheContext): JsonObject {
  const { dropped } = context
  for (const field of harmless) if (!isAbsent(tool[field])) dropped.add(`tools.${field}`)
  const callers = arrayOf(tool['allowed_callers'])
  if (callers.length > 0 && !callers.includes('direct'))
    throw invalidField(`${path}.allowed_callers`, 'must hold direct for this model')
  const parameters = requireObject(tool['input_schema'], `${path}.input_schema`)
  const description = optionalString(tool['description'], `${path}.description`)
  const isAsked = optionalBoolean(tool['strict'], `${path}.strict`) ?? false
  // A strict tool whose schema cannot be enforced is better offered unenforced than not at all.
  const isStrict = isAsked && isClosedSchema(parameters)
  if (isAsked && !isStrict) dropped.add('tools.strict')
  const mark = cacheControlOf(tool, path, 'tool', context)
  return {
    type: 'function',
    function: {
      name: names.toProvider(requireString(tool['name'], `${path}.name`)),
      ...(description === undefined ? {} : { description }),
      parameters,
      ...(isStrict ? { strict: true } : {}),
    },
    ...(mark ? { cache_control: mark } : {}),
  }
}

function toChoice(choice: JsonObject, names: ToolNames): Omit<ToolFields, 'tools'> {
  const isSingle = optionalBoolean(
    choice['disable_parallel_tool_use'],
    'tool_choice.disable_parallel_tool_use',
  )
  const single = isSingle ? ({ parallel_tool_calls: false } as const) : {}
  switch (choice['type']) {
    case 'auto':
      return { tool_choice: 'auto', ...single }
    case 'any':
      return { tool_choice: 'required', ...single }
    case 'none':
      return { tool_choice: 'none' }
    case 'tool': {
      const name = names.toProvider(requireString(choice['name'], 'tool_choice.name'))
      return { tool_choice: { type: 'function', function: { name } }, ...single }
    }
    default:
      throw invalidField('tool_choice.type', 'must be auto, any, tool or none')
  }
}
