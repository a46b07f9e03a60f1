import { invalid } from '#kernel/errors'
import { isAbsent, objectOf } from '../../../wire/json.ts'
import type { JsonObject } from '../../../wire/json.ts'
import { expectBoolean, expectList, expectObject, expectText, optional, present } from './expect.ts'

/** Tools without the nesting of chat completions. */
export function readTools(tools: unknown, name: string, takesCustom: boolean): JsonObject[] {
  return (optional(tools, 'tools', expectList) ?? []).map((each, index) => {
    const path = `tools.${index}`
    const tool = expectObject(each, path)
    const type = expectText(tool['type'], `${path}.type`)
    if (type === 'function') return readFunction(tool['function'], `${path}.function`)
    if (type === 'custom' && takesCustom) return readCustom(tool['custom'], `${path}.custom`)
    throw invalid(`${path}.type: ${name} takes no tool of type ${type} here.`, `${path}.type`)
  })
}

/** `strict` is always said: this wire takes true for granted, chat completions false. */
function readFunction(value: unknown, path: string): JsonObject {
  const target = expectObject(value, path)
  return present({
    type: 'function',
    name: expectText(target['name'], `${path}.name`),
    description: optional(target['description'], `${path}.description`, expectText),
    parameters: optional(target['parameters'], `${path}.parameters`, expectObject) ?? {
      type: 'object',
      properties: {},
    },
    strict: optional(target['strict'], `${path}.strict`, expectBoolean) ?? false,
  })
}

function readCustom(value: unknown, path: string): JsonObject {
  const custom = expectObject(value, path)
  const format = optional(custom['format'], `${path}.format`, expectObject)
  return present({
    type: 'custom',
    name: expectText(custom['name'], `${path}.name`),
    description: optional(custom['description'], `${path}.description`, expectText),
    format: format && { type: format['type'], ...objectOf(format['grammar']) },
  })
}

/** A choice by name, or among some; the plain words are the same on both wires. */
export function readToolChoice(choice: unknown): unknown {
  if (isAbsent(choice)) return undefined
  if (typeof choice === 'string') return choice
  const { type, ...rest } = expectObject(choice, 'tool_choice')
  if (type !== 'allowed_tools') return named({ type, ...rest }, 'tool_choice')
  const allowed = expectObject(rest['allowed_tools'], 'tool_choice.allowed_tools')
  const path = 'tool_choice.allowed_tools.tools'
  const tools = expectList(allowed['tools'], path).map((tool, index) => named(tool, `${path}.${index}`))
  return { type, mode: allowed['mode'], tools }
}

function named(value: unknown, path: string): JsonObject {
  const choice = expectObject(value, path)
  const type = expectText(choice['type'], `${path}.type`)
  const target = expectObject(choice[type], `${path}.${type}`)
  return { type, name: expectText(target['name'], `${path}.${type}.name`) }
}
