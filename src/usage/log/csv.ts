type Value = string | number | boolean | object | null

/**
 * One line of CSV (RFC 4180): values with a comma, a quote or a line break stand in quotes. With `guardFormulas` a text
 * that a spreadsheet would run gets an apostrophe before it: callers of the gateway choose some of these texts, and
 * whoever opens the file would run them.
 */
export function csvLine(values: readonly Value[], guardFormulas: boolean): string {
  return `${values.map((value) => csvValue(value, guardFormulas)).join(',')}\r\n`
}

function csvValue(value: Value, guardFormulas: boolean): string {
  if (value === null) return ''
  if (typeof value === 'object') return quoted(JSON.stringify(value))
  if (typeof value !== 'string') return String(value)
  return quoted(guardFormulas && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value)
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
