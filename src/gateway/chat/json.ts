import { invalid } from '#kernel/errors'
import { isAbsent, isObject, type JsonObject } from '../wire/json.ts'

// What a client sent: a wrong shape is refused with the path of the field.

export function requireObject(value: unknown, path: string): JsonObject {
  if (!isObject(value)) throw wrong(path, 'an object', value)
  return value
}

export function requireList(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wrong(path, 'an array', value)
  return value
}

export function requireText(value: unknown, path: string): string {
  if (typeof value !== 'string') throw wrong(path, 'a string', value)
  return value
}

export function optionalText(value: unknown, path: string): string | undefined {
  return isAbsent(value) ? undefined : requireText(value, path)
}

export function optionalObject(value: unknown, path: string): JsonObject | undefined {
  return isAbsent(value) ? undefined : requireObject(value, path)
}

export function optionalBoolean(value: unknown, path: string): boolean | undefined {
  if (isAbsent(value)) return undefined
  if (typeof value !== 'boolean') throw wrong(path, 'true or false', value)
  return value
}

export function optionalNumber(value: unknown, path: string, lowest: number, highest: number) {
  if (isAbsent(value)) return undefined
  if (typeof value !== 'number') throw wrong(path, 'a number', value)
  if (!(value >= lowest && value <= highest)) {
    const range = highest === Infinity ? `at least ${lowest}` : `between ${lowest} and ${highest}`
    throw invalid(`${path} must be ${range}.`, path)
  }
  return value
}

export function optionalInteger(value: unknown, path: string, lowest: number, highest = Infinity) {
  const number = optionalNumber(value, path, lowest, highest)
  if (number !== undefined && !Number.isSafeInteger(number)) throw wrong(path, 'a whole number', value)
  return number
}

export function wrong(path: string, expected: string, value: unknown) {
  return invalid(`${path} must be ${expected}, not ${kindOf(value)}.`, path)
}

/** Names the kind of a value and never its content, which may be private or huge. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'absent'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a number'
  return typeof value === 'string' ? 'a string' : `a ${typeof value}`
}

/** A token count; undefined when it is not stated. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

/** JSON text of an upstream request; nesting beyond what can be written is the client's fault, not ours. */
export function toJson(body: unknown): string {
  try {
    return JSON.stringify(body)
  } catch (error) {
    if (error instanceof RangeError) throw invalid('The request is nested too deeply.')
    throw error
  }
}
