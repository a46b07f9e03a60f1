import { invalidField } from '#kernel/errors'
import { isAbsent, objectOf, present, type JsonObject } from '../../../wire/json.ts'
import {
  optionalArray,
  optionalBoolean,
  optionalObject,
  optionalString,
  requireArray,
  requireObject,
  requireString,
} from '../../../wire/request-json.ts'

/** Tools without the nesting of chat completions. */
export function readTools(tools: unknown, name: string, takesCustom: boolean): JsonObject[] {
  return (optionalArray(tools, 'tools') ?? []).map((each, index) => {
    const path = `tools.${index}`
    const tool = requireObject(each, path)
    const type = requireString(tool['type'], `${path}.type`)
    if (type === 'function') return readFunction(tool['function'], `${path}.function`)
    if (type === 'custom' && takesCustom) return readCustom(tool['custom'], `${path}.custom`)
    throw invalidField(`${path}.type`, `is ${type}, a type of tool that ${name} does not accept here`)
  })
}

/** `strict` is always set: its default is true here and false in Chat Completions. */
function readFunction(value: unknown, path: string): JsonObject {
  const target = requireObject(value, path)
  return present({
    type: 'function',
    name: requireString(target['name'], `${path}.name`),
    description: optionalString(target['description'], `${path}.description`),
    parameters: optionalObject(target['parameters'], `${path}.parameters`) ?? {
      type: 'object',
      properties: {},
    },
    strict: optionalBoolean(target['strict'], `${path}.strict`) ?? false,
  })
}

function readCustom(value: unknown, path: string): JsonObject {
  const custom = requireObject(value, path)
  const format = optionalObject(custom['format'], `${path}.format`)
  return present({
    type: 'custom',
    name: requireString(custom['name'], `${path}.name`),
    description: optionalString(custom['description'], `${path}.description`),
    format: format && { type: format['type'], ...objectOf(format['grammar']) },
  })
}

/** A choice by name, or among some; plain strings are the same in both APIs. */
export function readToolChoice(choice: unknown): unknown {
  if (isAbsent(choice)) return undefined
  if (typeof choice === 'string') return choice
  const { type, ...rest } = requireObject(choice, 'tool_choice')
  if (type !== 'allowed_tools') return named({ type, ...rest }, 'tool_choice')
  const allowed = requireObject(rest['allowed_tools'], 'tool_choice.allowed_tools')
  const path = 'tool_choice.allowed_tools.tools'
  const tools = requireArray(allowed['tools'], path).map((tool, index) => named(tool, `${path}.${index}`))
  return { type, mode: allowed['mode'], tools }
}

function named(value: unknown, path: string): JsonObject {
  const choice = requireObject(value, path)
  const type = requireString(choice['type'], `${path}.type`)
  const target = requireObject(choice[type], `${path}.${type}`)
  return { type, name: requireString(target['name'], `${path}.${type}.name`) }
}
