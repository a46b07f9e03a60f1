import { isAbsent, isObject, arrayOf, objectOf, objectsOf, stringOf } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { refuse } from './fault.ts'

/** Checks one function, wherever its API format keeps the fields. */
export function checkFunction(at: string, definition: JsonObject, strict: boolean): void {
  const name = stringOf(definition['name'])
  if (name === '')
    refuse(`Missing required parameter: '${at}.name'.`, `${at}.name`, 'missing_required_parameter')
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) {
    refuse(
      `Invalid '${at}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
      `${at}.name`,
      'invalid_value',
    )
  }
  const schema = definition['parameters']
  if (isAbsent(schema)) return
  if (!isObject(schema) || schema['type'] !== 'object') {
    const type = JSON.stringify(objectOf(schema)['type'] ?? 'None')
    refuse(
      `Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"', got 'type: ${type}'.`,
      `${at}.parameters`,
      'invalid_function_parameters',
    )
  }
  if (strict) {
    checkStrictSchema(
      `Invalid schema for function '${name}'`,
      schema,
      `${at}.parameters`,
      'invalid_function_parameters',
    )
  }
}

/** Strict mode wants every object closed and every property required. */
export function checkStrictSchema(
  what: string,
  schema: unknown,
  param: string,
  code: string,
  context: string[] = [],
): void {
  if (!isObject(schema)) return
  const where = `In context=(${context.map((step) => `'${step}'`).join(', ')})`
  if (schema['type'] === 'object') {
    if (schema['additionalProperties'] !== false) {
      refuse(
        `${what}: ${where}, 'additionalProperties' is required to be supplied and to be false.`,
        param,
        code,
      )
    }
    const required = arrayOf(schema['required'])
    const missing = Object.keys(objectOf(schema['properties'])).find((name) => !required.includes(name))
    if (missing !== undefined) {
      refuse(
        `${what}: ${where}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`,
        param,
        code,
      )
    }
  }
  for (const [name, property] of Object.entries(objectOf(schema['properties']))) {
    checkStrictSchema(what, property, param, code, [...context, 'properties', name])
  }
  for (const [index, variant] of objectsOf(schema['anyOf']).entries()) {
    checkStrictSchema(what, variant, param, code, [...context, 'anyOf', String(index)])
  }
  checkStrictSchema(what, schema['items'], param, code, [...context, 'items'])
}

export function checkToolChoice(
  body: JsonObject,
  names: string[],
  named: (choice: JsonObject) => unknown,
): void {
  for (const field of ['tool_choice', 'parallel_tool_calls']) {
    if (!isAbsent(body[field]) && arrayOf(body['tools']).length === 0) {
      refuse(`Invalid value for '${field}': '${field}' is only allowed when 'tools' are specified.`, field)
    }
  }
  const choice = body['tool_choice']
  if (isAbsent(choice)) return
  if (typeof choice === 'string') {
    if (['none', 'auto', 'required'].includes(choice)) return
    refuse(
      `Invalid value: '${choice}'. Supported values are: 'none', 'auto', and 'required'.`,
      'tool_choice',
      'invalid_value',
    )
  }
  const name = stringOf(named(objectOf(choice)))
  if (objectOf(choice)['type'] === 'function' && !names.includes(name)) {
    refuse(`Tool choice 'function' not found in 'tools' parameter.`, 'tool_choice')
  }
}
