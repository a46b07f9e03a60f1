/** A small part of Markdown, read into plain data: what is not understood stays text. Nothing becomes HTML. */

export type Block =
  | { kind: 'paragraph' | 'quote'; text: string }
  | { kind: 'heading'; text: string; level: number }
  | { kind: 'code'; text: string; language: string }
  | { kind: 'rule' }
  | List

export interface List {
  kind: 'list'
  ordered: boolean
  start: number
  items: { text: string; nested: List | null }[]
}

const fence = /^(\s*)(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$/
const item = /^(\s*)(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/
const heading = /^(#{1,6})\s+(.*?)\s*#*$/
const rule = /^ {0,3}(?:-\s*){3,}$|^ {0,3}(?:\*\s*){3,}$/

/** A fence that is not closed yet runs to the end: so does an answer that is still arriving. */
export function splitBlocks(source: string): Block[] {
  const lines = source.split('\n')
  const blocks: Block[] = []
  let at = 0
  const take = (fits: (line: string) => boolean): string[] => {
    const start = at
    while (at < lines.length && fits(lines[at] ?? '')) at += 1
    return lines.slice(start, at)
  }
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const opened = fence.exec(line)
    const title = heading.exec(line)
    if (line.trim() === '') at += 1
    else if (opened) {
      at += 1
      const [, indent = '', mark = '', language = ''] = opened
      const closing = new RegExp(`^\\s*${mark[0]}{${mark.length},}\\s*$`)
      const inside = take((each) => !closing.test(each))
      at += 1
      // Code within a list item is indented as a whole.
      const text = inside.map((each) => (each.startsWith(indent) ? each.slice(indent.length) : each))
      blocks.push({ kind: 'code', text: text.join('\n'), language: language.toLowerCase() })
    } else if (title) {
      at += 1
      blocks.push({ kind: 'heading', level: title[1]?.length ?? 1, text: title[2] ?? '' })
    } else if (rule.test(line)) {
      at += 1
      blocks.push({ kind: 'rule' })
    } else if (line.startsWith('|')) {
      // A table keeps its columns only in letters of equal width.
      blocks.push({ kind: 'code', text: take((each) => each.startsWith('|')).join('\n'), language: '' })
    } else if (line.startsWith('>')) {
      const text = take((each) => each.startsWith('>')).map((each) => each.replace(/^>\s?/, ''))
      blocks.push({ kind: 'quote', text: text.join('\n') })
    } else if (item.test(line)) blocks.push(listOf(take((each) => item.test(each) || /^\s+\S/.test(each))))
    else blocks.push({ kind: 'paragraph', text: take(continuesParagraph).join('\n') })
  }
  return blocks
}

const continuesParagraph = (line: string): boolean =>
  line.trim() !== '' && !fence.test(line) && !heading.test(line) && !item.test(line) && !/^[>|]/.test(line)

/** What is indented further than the first item belongs to the item above it. */
function listOf(lines: readonly string[]): List {
  const [, indent = '', number] = item.exec(lines[0] ?? '') ?? []
  const parts: string[][] = []
  for (const line of lines) {
    const found = item.exec(line)
    if (found && (found[1] ?? '').length < indent.length + 2) parts.push([found[3] ?? ''])
    else parts.at(-1)?.push(line)
  }
  const items = parts.map((part) => {
    const below = part.findIndex((line, index) => index > 0 && item.test(line))
    const own = below === -1 ? part : part.slice(0, below)
    return {
      text: own.map((line) => line.trim()).join('\n'),
      nested: below === -1 ? null : listOf(part.slice(below)),
    }
  })
  return { kind: 'list', ordered: number !== undefined, start: Number(number ?? 1), items }
}
