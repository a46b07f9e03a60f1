/** For spreadsheets: what is absent is an empty field, and nothing is run as a formula. */
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
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const isFormula = typeof value === 'string' && formula.test(text) && !plainNumber.test(text)
  const harmless = isFormula ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
