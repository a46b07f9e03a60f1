import { z } from 'zod'

/** An object with any members. Not a record: those of zod lose a member named `__proto__`. */
export const jsonObject = z
  .custom<Record<string, unknown>>(isObject, 'must be an object')
  .meta({ type: 'object', additionalProperties: {} })

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
