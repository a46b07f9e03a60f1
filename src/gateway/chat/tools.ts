import { invalidField } from '#kernel/errors'
import { isAbsent, objectOf, type JsonObject } from '../wire/json.ts'
import {
  optionalBoolean,
  optionalObject,
  optionalString,
  requireArray,
  requireObject,
  requireString,
} from '../wire/request-json.ts'
import { readCacheControl } from './parts.ts'

export interface Tool {
  name: string
  description: string | undefined
  parameters: JsonObject | undefined
  isStrict: boolean
  cacheControl: JsonObject | undefined
  path: string
}

export type ToolChoice = 'auto' | 'none' | 'required' | { name: string }

export interface ToolSetting {
  tools: Tool[]
  /** Undefined when the client left it open, or when there is nothing to choose from. */
  choice: ToolChoice | undefined
  isParallel: boolean
}

export function readToolSetting(body: JsonObject): ToolSetting {
  const isParallel = optionalBoolean(body['parallel_tool_calls'], 'parallel_tool_calls') ?? true
  const tools = readTools(body['tools'])
  const { choice, allowed } = readChoice(body['tool_choice'])
  const offered = allowed ? tools.filter((tool) => allowed.has(tool.name)) : tools
  if (offered.length === 0 && (choice === 'required' || typeof choice === 'object')) {
    throw invalidField('tool_choice', ['asks for a tool, but ', { path: 'tools' }, ' offers none'])
  }
  if (typeof choice === 'object' && !offered.some((tool) => tool.name === choice.name)) {
    throw invalidField('tool_choice.function.name', 'is not among the tools')
  }
  return { tools: offered, choice: offered.length === 0 ? undefined : choice, isParallel }
}

function readTools(value: unknown): Tool[] {
  if (isAbsent(value)) return []
  const tools = new Map<string, Tool>()
  for (const [index, item] of requireArray(value, 'tools').entries()) {
    const tool = readTool(requireObject(item, `tools.${index}`), `tools.${index}`)
    if (tools.has(tool.name)) {
      const path = `tools.${index}.function.name`
      throw invalidField(path, 'is used by another tool')
    }
    tools.set(tool.name, tool)
  }
  return [...tools.values()]
}

function readTool(tool: JsonObject, path: string): Tool {
  if (tool['type'] !== 'function') {
    throw invalidField(`${path}.type`, 'must be function: this provider has no other kind of tool')
  }
  const target = requireObject(tool['function'], `${path}.function`)
  const name = requireString(target['name'], `${path}.function.name`)
  if (name === '') throw invalidField(`${path}.function.name`, 'is empty')
  return {
    name,
    description: optionalString(target['description'], `${path}.function.description`),
    parameters: optionalObject(target['parameters'], `${path}.function.parameters`),
    isStrict: optionalBoolean(target['strict'], `${path}.function.strict`) ?? false,
    cacheControl: readCacheControl(tool['cache_control'] ?? target['cache_control'], path),
    path,
  }
}

function readChoice(value: unknown): { choice: ToolChoice | undefined; allowed?: Set<string> } {
  if (isAbsent(value)) return { choice: undefined }
  if (value === 'auto' || value === 'none' || value === 'required') return { choice: value }
  if (typeof value === 'string') {
    throw invalidField('tool_choice', 'must be auto, none, required or an object')
  }
  const choice = requireObject(value, 'tool_choice')
  if (choice['type'] === 'allowed_tools') return readAllowed(choice)
  if (choice['type'] !== 'function') {
    throw invalidField('tool_choice.type', 'must be function or allowed_tools')
  }
  const target = requireObject(choice['function'], 'tool_choice.function')
  return { choice: { name: requireString(target['name'], 'tool_choice.function.name') } }
}

function readAllowed(choice: JsonObject): { choice: ToolChoice; allowed: Set<string> } {
  const path = 'tool_choice.allowed_tools'
  const setting = requireObject(choice['allowed_tools'], path)
  const allowed = new Set<string>()
  for (const [index, item] of requireArray(setting['tools'], `${path}.tools`).entries()) {
    const tool = requireObject(item, `${path}.tools.${index}`)
    const name = tool['name'] ?? objectOf(tool['function'])['name']
    allowed.add(requireString(name, `${path}.tools.${index}.function.name`))
  }
  const mode = setting['mode'] ?? 'auto'
  if (mode !== 'auto' && mode !== 'required') {
    throw invalidField(`${path}.mode`, 'must be auto or required')
  }
  return { choice: mode, allowed }
}
