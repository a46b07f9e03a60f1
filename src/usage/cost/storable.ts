/**
 * PostgreSQL rejects NUL and unpaired surrogates in text and in JSON, and the log must accept every row. So text from
 * outside is cleaned before it is written.
 */
export function storableText(text: string, limit: number): string {
  const cut = text.length > limit ? text.slice(0, limit) : text
  return cut.isWellFormed() && !cut.includes('\0') ? cut : cut.toWellFormed().replaceAll('\0', '\u{fffd}')
}

/** Nobody reads deeper labels, and parsing them could exhaust the stack. */
const maxDepth = 50

export function storableJson(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return storableText(value, value.length)
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) return '…'
  if (Array.isArray(value)) return value.map((each) => storableJson(each, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      storableText(name, name.length),
      storableJson(each, depth + 1),
    ]),
  )
}
