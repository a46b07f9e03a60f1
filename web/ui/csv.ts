type Lines = readonly (readonly unknown[])[]

/** For spreadsheets: what is absent is an empty field, and nothing is run as a formula. */
export const csvOf = (lines: Lines): string =>
  lines.map((line) => `${line.map(field).join(',')}\r\n`).join('')

export const asCsv = (
  columns: readonly { name: string }[],
  rows: readonly Readonly<Record<string, unknown>>[],
): string => {
  const names = columns.map(({ name }) => name)
  return csvOf([names, ...rows.map((row) => names.map((name) => row[name]))])
}

export function downloadCsv(name: string, lines: Lines): void {
  // The mark at the start tells spreadsheets that it is UTF-8.
  const address = URL.createObjectURL(new Blob(['\uFEFF', csvOf(lines)], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `${name}.csv`
  link.click()
  URL.revokeObjectURL(address)
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
