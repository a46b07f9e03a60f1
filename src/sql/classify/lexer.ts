/**
 * Just enough of PostgreSQL's lexical rules to step over comments and quoted text. It never decides what a
 * statement is: that is the parser's part.
 */

const space = /[ \t\n\r\f\v]/

/** The index of the first character from `at` on that is neither space nor comment. */
export function skipSpace(text: string, at: number): number {
  let index = at
  while (index < text.length) {
    if (space.test(text.charAt(index))) index += 1
    else if (text.startsWith('--', index)) index = endOfLine(text, index)
    else if (text.startsWith('/*', index)) index = readComment(text, index).end
    else break
  }
  return index
}

/** The end of the comment or quoted text that begins at `at`. */
export function endOfUnit(text: string, at: number): number {
  if (text.startsWith('/*', at)) return readComment(text, at).end
  return text.startsWith('--', at) ? endOfLine(text, at) : endOfQuoted(text, at)
}

/** How deep comments are nested; text in quotes is not a comment. */
export function commentDepth(text: string): number {
  let deepest = 0
  for (const { from } of unitsOf(text))
    if (text.startsWith('/*', from)) deepest = Math.max(deepest, readComment(text, from).depth)
  return deepest
}

/** Every string and comment in place of which something else stands; names in quotes stay. One without an end goes to the end. */
export function withoutUnits(text: string, { string, comment }: { string: string; comment: string }): string {
  let kept = ''
  let index = 0
  for (const { from, to } of unitsOf(text)) {
    if (text[from] === '"') continue
    kept += text.slice(index, from) + (/^['$]/.test(text.charAt(from)) ? string : comment)
    index = to
  }
  return kept + text.slice(index)
}

/** What begins a comment or quoted text. A word is stepped over as a whole: `a$b$` is one. */
const opening =
  /[eE](?=')|[A-Za-z0-9_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*|\/\*|--|['"]|\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/g

function* unitsOf(text: string): Generator<{ from: number; to: number }> {
  opening.lastIndex = 0
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    if (!/^['"$/-]/.test(found[0])) continue
    const to = endOfUnit(text, found.index)
    yield { from: found.index, to }
    opening.lastIndex = to
  }
}

function endOfLine(text: string, from: number): number {
  let index = from
  while (index < text.length && text[index] !== '\n' && text[index] !== '\r') index += 1
  return index
}

const comment = /\/\*|\*\//g

function readComment(text: string, from: number): { end: number; depth: number } {
  let depth = 0
  let deepest = 0
  comment.lastIndex = from
  for (let found = comment.exec(text); found; found = comment.exec(text)) {
    depth += found[0] === '/*' ? 1 : -1
    deepest = Math.max(deepest, depth)
    if (depth === 0) return { end: comment.lastIndex, depth: deepest }
  }
  return { end: text.length, depth: deepest }
}

/** The end of a string, a quoted name or a dollar-quoted text that begins at `from`. */
function endOfQuoted(text: string, from: number): number {
  const quote = text.charAt(from)
  if (quote === '$') {
    const tag = text.slice(from, text.indexOf('$', from + 1) + 1)
    const end = text.indexOf(tag, from + tag.length)
    return end === -1 ? text.length : end + tag.length
  }
  const hasEscapes = quote === "'" && /(^|[^A-Za-z0-9_$])[eE]$/.test(text.slice(Math.max(0, from - 2), from))
  for (let index = from + 1; index < text.length; index += 1) {
    if (hasEscapes && text[index] === '\\') index += 1
    else if (text[index] === quote) {
      // Two are one within the text; a string may also go on in the next line, and keeps its escapes.
      const next = hasEscapes ? skipSpace(text, index + 1) : index + 1
      if (text[next] !== quote) return index + 1
      index = next
    }
  }
  return text.length
}
