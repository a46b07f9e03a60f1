import { invalid } from '#kernel/errors'
import {
  optionalBoolean,
  optionalObject,
  optionalText,
  requireList,
  requireObject,
  requireText,
} from '../../providers/chat/json.ts'
import { isAbsent, objectOf, textOf } from '../../providers/json.ts'
import type { JsonObject } from '../../providers/json.ts'

export interface ToolFields {
  /** Members of the chat request. */
  readonly members: JsonObject
  /** Tools whose calls carry one free text. */
  readonly customNames: ReadonlySet<string>
}

interface Offered {
  readonly name: string
  readonly isCustom: boolean
  readonly tool: JsonObject
}

/** Tools and the choice among them. One that OpenAI runs itself exists nowhere else, so it is refused. */
export function toToolFields(body: JsonObject, dropped: Set<string>): ToolFields {
  const tools = isAbsent(body['tools']) ? [] : requireList(body['tools'], 'tools')
  const offered = tools.map((tool, index) =>
    toTool(requireObject(tool, `tools[${index}]`), `tools[${index}]`, dropped),
  )
  const { choice, allowed } = toChoice(body['tool_choice'])
  const kept = allowed ? offered.filter(({ name }) => allowed.has(name)) : offered
  const isParallel = optionalBoolean(body['parallel_tool_calls'], 'parallel_tool_calls')
  // Servers refuse what is said about tools where there are none.
  const settings = {
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...(isParallel === undefined ? {} : { parallel_tool_calls: isParallel }),
  }
  const isForced = choice !== undefined && choice !== 'auto' && choice !== 'none'
  return {
    members:
      kept.length > 0 ? { tools: kept.map(({ tool }) => tool), ...settings } : isForced ? settings : {},
    customNames: new Set(kept.filter(({ isCustom }) => isCustom).map(({ name }) => name)),
  }
}

function toTool(tool: JsonObject, path: string, dropped: Set<string>): Offered {
  const type = requireText(tool['type'], `${path}.type`)
  if (type !== 'function' && type !== 'custom') {
    throw invalid(
      `${path}.type: only OpenAI's own models have the tool ${type.slice(0, 64)}; offer function or custom tools.`,
      `${path}.type`,
    )
  }
  const name = requireText(tool['name'], `${path}.name`)
  const description = optionalText(tool['description'], `${path}.description`)
  if (!isAbsent(tool['defer_loading']) && tool['defer_loading'] !== false) dropped.add('tools.defer_loading')
  const isCustom = type === 'custom'
  const target = isCustom ? textTool(tool, path, dropped) : functionTool(tool, path)
  const described = description === undefined ? {} : { description }
  return { name, isCustom, tool: { type: 'function', function: { name, ...described, ...target } } }
}

function functionTool(tool: JsonObject, path: string): JsonObject {
  const parameters = optionalObject(tool['parameters'], `${path}.parameters`)
  const isStrict = optionalBoolean(tool['strict'], `${path}.strict`)
  return {
    parameters: parameters ?? { type: 'object', properties: {} },
    ...(isStrict === undefined ? {} : { strict: isStrict }),
  }
}

/** A tool that takes free text, as a function with one argument. A grammar can only be told, not enforced. */
function textTool(tool: JsonObject, path: string, dropped: Set<string>): JsonObject {
  const format = optionalObject(tool['format'], `${path}.format`)
  const isGrammar = format?.['type'] === 'grammar'
  if (isGrammar) dropped.add('tools.format')
  const syntax = textOf(format?.['syntax'])
  const description = isGrammar
    ? `The input as plain text. It must match this ${syntax} grammar:\n${textOf(format?.['definition'])}`
    : 'The input as plain text.'
  const input = { type: 'string', description }
  return {
    parameters: { type: 'object', properties: { input }, required: ['input'], additionalProperties: false },
  }
}

/** What a model gave to such a tool. */
export function customInput(args: string, parsed: unknown): string {
  const { input } = objectOf(parsed)
  return typeof input === 'string' ? input : args
}

function toChoice(value: unknown): { choice: unknown; allowed?: Set<string> } {
  if (isAbsent(value)) return { choice: undefined }
  if (value === 'auto' || value === 'none' || value === 'required') return { choice: value }
  if (typeof value === 'string') {
    throw invalid('tool_choice must be auto, none, required or an object.', 'tool_choice')
  }
  const choice = requireObject(value, 'tool_choice')
  if (choice['type'] === 'allowed_tools') {
    const path = 'tool_choice.tools'
    const names = requireList(choice['tools'], path).map((tool, index) => nameOf(tool, `${path}[${index}]`))
    const mode = choice['mode'] ?? 'auto'
    if (mode !== 'auto' && mode !== 'required') {
      throw invalid('tool_choice.mode must be auto or required.', 'tool_choice.mode')
    }
    return { choice: mode, allowed: new Set(names) }
  }
  if (choice['type'] !== 'function' && choice['type'] !== 'custom') {
    throw invalid('tool_choice.type must be function, custom or allowed_tools.', 'tool_choice.type')
  }
  return { choice: { type: 'function', function: { name: nameOf(choice, 'tool_choice') } } }
}

/** Some clients nest the name as chat completions do. */
function nameOf(value: unknown, path: string): string {
  const tool = requireObject(value, path)
  return requireText(tool['name'] ?? objectOf(tool['function'])['name'], `${path}.name`)
}
