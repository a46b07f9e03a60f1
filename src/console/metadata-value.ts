/** Values of metadata that a filter compares. Browser-safe. */

/** Only these name a place of an array: PostgreSQL would also take -1 and 01. */
export const isPlace = (name: string): boolean => /^(0|[1-9]\d{0,8})$/.test(name)

/** Strings, numbers and booleans have a text to compare; undefined for all else. */
export function textAt(metadata: unknown, path: readonly string[]): string | undefined {
  let value = metadata
  for (const name of path) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined
    if (Array.isArray(value) && !isPlace(name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return isComparable(value) ? String(value) : undefined
}

/** JSON has no number for NaN and the infinities: they are stored as null. */
export const isComparable = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)

/** The JSON values whose text it is: of `3` the string and the number. */
export function jsonWithText(text: string): string[] {
  const isNumber = Number.isFinite(Number(text)) && String(Number(text)) === text
  const isLiteral = isNumber || text === 'true' || text === 'false'
  return [JSON.stringify(text), ...(isLiteral ? [text] : [])]
}
