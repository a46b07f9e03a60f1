import { invalidField } from '#kernel/errors'
import { isObject } from '../storable.ts'
import type { AnyValue, KeyValue } from './messages.ts'

/** Values of OTLP as plain JSON. */

const maxDepth = 32

export function plainValues(pairs: unknown, depth = 0): Record<string, unknown> {
  const values = Object.create(null) as Record<string, unknown>
  if (!Array.isArray(pairs)) return values
  for (const pair of pairs as unknown[])
    if (isObject(pair) && typeof pair['key'] === 'string')
      values[pair['key']] = plainValue((pair as unknown as KeyValue).value, depth)
  return values
}

export function plainValue(value: AnyValue | undefined, depth = 0): unknown {
  if (depth > maxDepth) throw invalidField('attributes', `must not be nested deeper than ${maxDepth} levels`)
  if (!isObject(value)) return null
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } =
    value as AnyValue
  if (isSet(intValue)) return safeInteger(intValue)
  if (isSet(arrayValue))
    return Array.isArray(arrayValue.values)
      ? arrayValue.values.map((each) => plainValue(each as AnyValue, depth + 1))
      : []
  if (isSet(kvlistValue)) return plainValues(kvlistValue.values, depth + 1)
  return stringValue ?? boolValue ?? doubleValue ?? bytesValue ?? null
}

/** In the JSON of Protocol Buffers null is a field that is not set. */
const isSet = <T>(value: T | null | undefined): value is T => value !== undefined && value !== null

/** Beyond what a JSON number holds exactly, the digits are kept as a string. */
function safeInteger(value: unknown): number | string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}

/** NaN for what is neither a number nor a string: an object could say that it is none by an error. */
export const numberOf = (value: unknown): number =>
  typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN

/** A body is mostly a string; anything else is shown as JSON. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
