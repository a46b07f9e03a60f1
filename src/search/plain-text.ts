/** Markdown as people read it: without its signs. Names in code keep theirs. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(fence, '')
    .replaceAll(rule, '')
    .split('\n')
    .map((line) => withoutInline(line.replace(lineStart, '').replaceAll(cellBorder, ' ')))
    .join('\n')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const fence = /^[ \t]{0,8}(?:```|~~~).*$/gm
/** Under a heading, between sections, under the head of a table. */
const rule = /^[ \t]{0,8}[-=|:*_][-=|: \t*_]{2,400}$/gm
const lineStart =
  /^[ \t]{0,20}(?:>[ \t]?){0,5}(?:#{1,6}[ \t]+|(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)?/
/** Of a table: a bar between blanks, or at an end of the line. */
const cellBorder = /(?<=^|[ \t])\|(?=[ \t]|$)/g
const code = /(`{1,3})([^`]{1,500})\1/g
const link = /!?\[([^[\]]{0,300})\](?:\([^()\s]{0,1000}(?:\s"[^"]{0,200}")?\)|\[[^[\]]{0,100}\])/g
const address = /<(https?:\/\/[^<>\s]{1,1000})>/g
const strong = /(?<![\p{L}\p{N}*/\\])(\*{1,3}|~~)(?=[^\s*~])([^*~]{1,400})(?<=\S)\1(?![\p{L}\p{N}*/])/gu
const underlined = /(?<![\p{L}\p{N}_\\])(_{1,3})(?=[^\s_])([^_]{1,400})(?<=\S)\1(?![\p{L}\p{N}_])/gu
const escaped = /\\([!#()*+\-.>[\]_`{|}~])/g

function withoutInline(line: string): string {
  let plain = ''
  let end = 0
  for (const match of line.matchAll(code)) {
    plain += withoutMarks(line.slice(end, match.index)) + (match[2] ?? '')
    end = match.index + match[0].length
  }
  return plain + withoutMarks(line.slice(end))
}

const withoutMarks = (text: string): string =>
  text
    .replaceAll(link, '$1')
    .replaceAll(address, '$1')
    .replaceAll(strong, '$2')
    .replaceAll(underlined, '$2')
    .replaceAll(escaped, '$1')
