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
  let index = 0
  while (index < text.length) {
    const next = nextOpening(text, index)
    if (next === -1) return deepest
    if (text.startsWith('/*', next)) {
      const comment = readComment(text, next)
      deepest = Math.max(deepest, comment.depth)
      index = comment.end
    } else index = endOfUnit(text, next)
  }
  return deepest
}

const opening = /\/\*|--|['"]|\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/g

function nextOpening(text: string, from: number): number {
  opening.lastIndex = from
  return opening.exec(text)?.index ?? -1
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
    else if (text[index] === quote) return index + 1
  }
  return text.length
}
