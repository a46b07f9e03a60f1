// Strict reading of JSON that a client sent: a value of the wrong type is refused with the path of its field.

import { invalid, invalidField } from '#kernel/errors'
import { isAbsent, isObject, type JsonObject } from './json.ts'

export function requireObject(value: unknown, path: string): JsonObject {
  if (!isObject(value)) throw wrongType(path, 'an object', value)
  return value
}

export function requireArray(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wrongType(path, 'an array', value)
  return value
}

export function requireString(value: unknown, path: string): string {
  if (typeof value !== 'string') throw wrongType(path, 'a string', value)
  return value
}

export function optionalObject(value: unknown, path: string): JsonObject | undefined {
  return isAbsent(value) ? undefined : requireObject(value, path)
}

export function optionalArray(value: unknown, path: string): readonly unknown[] | undefined {
  return isAbsent(value) ? undefined : requireArray(value, path)
}

export function optionalString(value: unknown, path: string): string | undefined {
  return isAbsent(value) ? undefined : requireString(value, path)
}

export function optionalBoolean(value: unknown, path: string): boolean | undefined {
  if (isAbsent(value)) return undefined
  if (typeof value !== 'boolean') throw wrongType(path, 'true or false', value)
  return value
}

export function optionalNumber(
  value: unknown,
  path: string,
  min = -Infinity,
  max = Infinity,
): number | undefined {
  if (isAbsent(value)) return undefined
  if (typeof value !== 'number') throw wrongType(path, 'a number', value)
  if (!(value >= min && value <= max)) {
    const range = max === Infinity ? `at least ${min}` : `between ${min} and ${max}`
    throw invalidField(path, `must be ${range}`)
  }
  return value
}

export function optionalInteger(
  value: unknown,
  path: string,
  min: number,
  max = Infinity,
): number | undefined {
  const number = optionalNumber(value, path, min, max)
  if (number !== undefined && !Number.isSafeInteger(number)) throw wrongType(path, 'a whole number', value)
  return number
}

export function wrongType(path: string, expected: string, value: unknown) {
  return invalidField(path, `must be ${expected}, not ${typeName(value)}`)
}

/** Names the type of a value and never its content, which may be private or huge. */
function typeName(value: unknown): string {
  if (value === undefined) return 'absent'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a number'
  return typeof value === 'string' ? 'a string' : `a ${typeof value}`
}

/** The JSON of an upstream request; nesting beyond what can be written is the client's fault, not ours. */
export function toJson(body: unknown): string {
  try {
    return JSON.stringify(body)
  } catch (error) {
    if (error instanceof RangeError) throw invalid('The request is nested too deeply.')
    throw error
  }
}
