import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const file = join(import.meta.dirname, '../docs/performance.md')

/** Replaces what a bench found in docs/performance.md, between its marks; the words around it stay. */
export function writeToPage(bench: string, tables: string): void {
  const [begin, end] = [`<!-- begin: bench:${bench} -->`, `<!-- end: bench:${bench} -->`]
  const text = readFileSync(file, 'utf8')
  const [before, after] = [text.indexOf(begin), text.indexOf(end)]
  if (before < 0 || after < before)
    throw new Error(`${file} has lost its marks for bench:${bench}. Put them back: ${begin} and ${end}`)
  writeFileSync(file, `${text.slice(0, before)}${begin}\n\n${tables}\n\n${text.slice(after)}`)
}

export function markdownTable(head: string[], rows: string[][]): string {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
