import { invalidField } from '#kernel/errors'
import { isAbsent, objectOf, stringOf, type JsonObject } from '../../wire/json.ts'
import {
  optionalBoolean,
  optionalObject,
  optionalString,
  requireArray,
  requireObject,
  requireString,
} from '../../wire/request-json.ts'
import { groupName, wireName, type Target, type Targets } from './targets.ts'

export interface ToolFields {
  /** Members of the chat request. */
  readonly members: JsonObject
  readonly targets: Targets
  /** Where each of the tools comes from. */
  readonly origins: readonly string[]
}

interface Offered extends Target {
  readonly tool: JsonObject
  readonly path: string
}

/** Tools and the choice among them. One that OpenAI runs itself exists nowhere else, so it is refused. */
export function toToolFields(body: JsonObject, dropped: Set<string>): ToolFields {
  const offered = allTools(body, dropped)
  const { choice, allowed } = toChoice(body['tool_choice'])
  const kept = allowed
    ? offered.filter((tool) => allowed.has(wireName(tool)) || allowed.has(tool.namespace ?? ''))
    : offered
  const isParallel = optionalBoolean(body['parallel_tool_calls'], 'parallel_tool_calls')
  // Servers refuse what is said about tools where there are none.
  const settings = {
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...(isParallel === undefined ? {} : { parallel_tool_calls: isParallel }),
  }
  const isForced = choice !== undefined && choice !== 'auto' && choice !== 'none'
  const tools = { tools: kept.map(({ tool }) => tool), ...settings }
  return {
    members: kept.length > 0 ? tools : isForced ? settings : {},
    targets: new Map(kept.map((tool) => [wireName(tool), tool])),
    origins: kept.map(({ path }) => path),
  }
}

/** Those at the head, and those that items of the conversation add or replace. */
function allTools({ tools, input }: JsonObject, dropped: Set<string>): Offered[] {
  const added = new Map<string, Offered>()
  for (const [index, item] of (Array.isArray(input) ? input : []).entries()) {
    const { type, tools: more } = objectOf(item)
    if (type !== 'additional_tools') continue
    for (const tool of readTools(more, `input[${index}].tools`, dropped)) added.set(wireName(tool), tool)
  }
  const first = readTools(tools, 'tools', dropped)
  return [...first.filter((tool) => !added.has(wireName(tool))), ...added.values()]
}

function readTools(value: unknown, path: string, dropped: Set<string>, group?: JsonObject): Offered[] {
  if (isAbsent(value)) return []
  return requireArray(value, path).flatMap((each, index) => {
    const where = `${path}[${index}]`
    const tool = requireObject(each, where)
    if (tool['type'] !== 'namespace' || group) return [toTool(tool, where, dropped, group)]
    requireString(tool['name'], `${where}.name`)
    return readTools(tool['tools'], `${where}.tools`, dropped, tool)
  })
}

/** A tool of a group is described by what the group says of itself, too: chat completions have no groups. */
function toTool(tool: JsonObject, path: string, dropped: Set<string>, group: JsonObject = {}): Offered {
  const type = requireString(tool['type'], `${path}.type`)
  if (type !== 'function' && type !== 'custom') {
    throw invalidField(
      `${path}.type`,
      `is ${type.slice(0, 64)}, a tool that only OpenAI's own models have: send function or custom tools`,
    )
  }
  const isCustom = type === 'custom'
  const target = { name: requireString(tool['name'], `${path}.name`), isCustom, ...groupName(group['name']) }
  const own = optionalString(tool['description'], `${path}.description`) ?? ''
  const description = [stringOf(group['description']), own].filter((text) => text !== '').join('\n\n')
  if (!isAbsent(tool['defer_loading']) && tool['defer_loading'] !== false) dropped.add('tools.defer_loading')
  const definition = {
    name: wireName(target),
    ...(description === '' ? {} : { description }),
    ...(isCustom ? textTool(tool, path, dropped) : functionTool(tool, path)),
  }
  return { ...target, path, tool: { type: 'function', function: definition } }
}

function functionTool(tool: JsonObject, path: string): JsonObject {
  const parameters = optionalObject(tool['parameters'], `${path}.parameters`)
  const isStrict = optionalBoolean(tool['strict'], `${path}.strict`)
  return {
    parameters: parameters ?? { type: 'object', properties: {} },
    ...(isStrict === undefined ? {} : { strict: isStrict }),
  }
}

/** A tool that takes free text, as a function with one argument. A grammar can only be described, not enforced. */
function textTool(tool: JsonObject, path: string, dropped: Set<string>): JsonObject {
  const format = optionalObject(tool['format'], `${path}.format`)
  const isGrammar = format?.['type'] === 'grammar'
  if (isGrammar) dropped.add('tools.format')
  const syntax = stringOf(format?.['syntax'])
  const description = isGrammar
    ? `The input as plain text. It must match this ${syntax} grammar:\n${stringOf(format?.['definition'])}`
    : 'The input as plain text.'
  const input = { type: 'string', description }
  return {
    parameters: { type: 'object', properties: { input }, required: ['input'], additionalProperties: false },
  }
}

function toChoice(value: unknown): { choice: unknown; allowed?: Set<string> } {
  if (isAbsent(value)) return { choice: undefined }
  if (value === 'auto' || value === 'none' || value === 'required') return { choice: value }
  if (typeof value === 'string') {
    throw invalidField('tool_choice', 'must be auto, none, required or an object')
  }
  const choice = requireObject(value, 'tool_choice')
  if (choice['type'] === 'allowed_tools') {
    const path = 'tool_choice.tools'
    const names = requireArray(choice['tools'], path).map((tool, index) => nameOf(tool, `${path}[${index}]`))
    const mode = choice['mode'] ?? 'auto'
    if (mode !== 'auto' && mode !== 'required') {
      throw invalidField('tool_choice.mode', 'must be auto or required')
    }
    return { choice: mode, allowed: new Set(names) }
  }
  if (choice['type'] !== 'function' && choice['type'] !== 'custom') {
    throw invalidField('tool_choice.type', 'must be function, custom or allowed_tools')
  }
  return { choice: { type: 'function', function: { name: nameOf(choice, 'tool_choice') } } }
}

/** Some clients nest the name as chat completions do. */
function nameOf(value: unknown, path: string): string {
  const tool = requireObject(value, path)
  const name = requireString(tool['name'] ?? objectOf(tool['function'])['name'], `${path}.name`)
  return wireName({ name, ...groupName(tool['namespace']) })
}
