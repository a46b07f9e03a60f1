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

/** For spreadsheets: NULL is an empty field, and nothing is run as a formula. */
export function asCsv(
  columns: readonly { name: string }[],
  rows: readonly Readonly<Record<string, unknown>>[],
): string {
  const names = columns.map(({ name }) => name)
  const lines = rows.map((row) => names.map((name) => field(row[name])).join(','))
  return [names.map(field).join(','), ...lines].map((line) => `${line}\r\n`).join('')
}

/** Numbers that JavaScript cannot hold are texts, and `-5.20` is no formula. */
const plainNumber = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i
const formula = /^\s*[=+\-@]|^[\t\r]/

function field(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = cellText(value)
  const isFormula = typeof value === 'string' && formula.test(text) && !plainNumber.test(text)
  const harmless = isFormula ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
