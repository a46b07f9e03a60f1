/** Columns of equal width, for people at a terminal. */
export function table(headings: string[], rows: (string | null)[][]): string {
  const cells = [headings, ...rows.map((row) => row.map((cell) => cell ?? '-'))]
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)))
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
