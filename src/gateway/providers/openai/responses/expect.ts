import { invalid } from '#kernel/errors'
import { isAbsent, isObject } from '../../../wire/json.ts'
import type { JsonObject } from '../../../wire/json.ts'

/** Reading of a request that is translated: what has the wrong type is refused by its path, `messages.3.content`. */
export function expectObject(value: unknown, path: string): JsonObject {
  if (!isObject(value)) throw wrong(path, 'an object', value)
  return value
}

export function expectList(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wrong(path, 'an array', value)
  return value
}

export function expectText(value: unknown, path: string): string {
  if (typeof value !== 'string') throw wrong(path, 'a string', value)
  return value
}

/** Undefined for a field that is absent or null. */
export function optional<Value>(
  value: unknown,
  path: string,
  expect: (value: unknown, path: string) => Value,
): Value | undefined {
  return isAbsent(value) ? undefined : expect(value, path)
}

export function expectNumber(value: unknown, path: string): number {
  if (typeof value !== 'number') throw wrong(path, 'a number', value)
  return value
}

export function expectBoolean(value: unknown, path: string): boolean {
  if (typeof value !== 'boolean') throw wrong(path, 'true or false', value)
  return value
}

/** Leaves out members without a value: upstreams refuse some nulls that clients send. */
export function present(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

function wrong(path: string, expected: string, value: unknown) {
  const found = value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value
  return invalid(`${path} must be ${expected}, not ${found}.`, path)
}
