const shown = 280

/** Code in backticks, and marks of emphasis at the edge of a word: `customer_id` and `2 * 3` have none. */
const marks = /`+([^`]+)`+|`+|(?<![\p{L}\p{N}])[*_]+(?=\S)|(?<=\S)[*_]+(?![\p{L}\p{N}])/gu

/** A heading and the text below it become one line, so they need a mark between them. */
const headingOf = (_line: string, title: string): string => (/[.:!?]$/.test(title) ? title : `${title}:`)

/** The cells of a row of a table; the line below its head has none. */
const cellsOf = (row: string): string =>
  /[^\s|:-]/.test(row) ? row.replaceAll(/^\s*\||\|\s*$/g, '').replaceAll('|', '·') : ''

/** The beginning of Markdown as plain text: its marks say nothing in a list. */
export function excerptOf(source: string): string {
  const text = source
    .slice(0, 4 * shown)
    // The name of a language after a fence is no part of the text.
    .replaceAll(/^\s*```.*$/gm, '')
    .replaceAll(/^\s*\|.*$/gm, cellsOf)
    .replaceAll(/^\s*#+\s+(.*\S)\s*$/gm, headingOf)
    .replaceAll(/^\s*([-*>]|\d+\.)\s+/gm, '')
    .replaceAll(marks, (_mark, code?: string) => code ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return text.length > shown ? `${text.slice(0, shown)}…` : text
}
