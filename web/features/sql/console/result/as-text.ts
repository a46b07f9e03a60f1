/** A value as a person reads it: NULL differs from an empty text. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** All of a value, with JSON on several lines. */
export function fullText(value: unknown): string {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value, null, 2)
  return cellText(value)
}

export const isJson = (value: unknown): boolean => typeof value === 'object' && value !== null

/** Too long for a cell. */
export const isLong = (value: unknown): boolean => isJson(value) || cellText(value).length > 60
