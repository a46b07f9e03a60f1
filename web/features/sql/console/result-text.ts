export const isNumeric = (value: unknown): boolean => typeof value === 'number'

/** A value as a person reads it: NULL differs from an empty text. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** NULL is an empty field. Values that a spreadsheet would run as a formula are made harmless. */
export function asCsv(
  columns: readonly { name: string }[],
  rows: readonly Record<string, unknown>[],
): string {
  const names = columns.map(({ name }) => name)
  const lines = rows.map((row) => names.map((name) => field(row[name])).join(','))
  return [names.map(field).join(','), ...lines].join('\r\n')
}

function field(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = cellText(value)
  const harmless = typeof value === 'string' && /^[\s]*[=+\-@]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
