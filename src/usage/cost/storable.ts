/**
 * PostgreSQL takes neither NUL nor half a surrogate pair, in text or in JSON, and the ledger must take every row.
 * What came from outside is made storable before it is written anywhere.
 */
export function storableText(text: string, limit: number): string {
  const cut = text.length > limit ? text.slice(0, limit) : text
  return cut.isWellFormed() && !cut.includes('\0') ? cut : cut.toWellFormed().replaceAll('\0', '\u{fffd}')
}

/** Deeper nesting is no label anybody reads, and could exhaust the stack of whoever parses it. */
const deepest = 50

export function storableJson(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return storableText(value, value.length)
  if (typeof value !== 'object' || value === null) return value
  if (depth === deepest) return '…'
  if (Array.isArray(value)) return value.map((each) => storableJson(each, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      storableText(name, name.length),
      storableJson(each, depth + 1),
    ]),
  )
}
