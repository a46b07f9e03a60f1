/** Without what PostgreSQL cannot hold: models and tools may return any characters. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '')

export function storableJson(value: object): string {
  const json = JSON.stringify(value)
  return isStorable(json) ? json : JSON.stringify(storable(value))
}

/** Whether JSON has none of it: it is written as an escape, and so are few other characters. */
export const isStorable = (json: string): boolean => !/\\u(?:0000|d[89a-f])/i.test(json)

/** Names of fields too. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [storableText(name), storable(part)]))
}
