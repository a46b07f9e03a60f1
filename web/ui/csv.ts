/** A file for spreadsheets. What one would run as a formula begins with ' in it. */
export const csvOf = (lines: readonly (readonly string[])[]): string =>
  lines.map((line) => `${line.map(field).join(',')}\r\n`).join('')

function field(text: string): string {
  const isNumber = /^-?\d+(?:\.\d+)?$/.test(text)
  const guarded = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

export function downloadCsv(name: string, lines: readonly (readonly string[])[]): void {
  // The mark at the start tells spreadsheets that it is UTF-8.
  const address = URL.createObjectURL(new Blob(['\uFEFF', csvOf(lines)], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `${name}.csv`
  link.click()
  URL.revokeObjectURL(address)
}
