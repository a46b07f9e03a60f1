import { lexemeOf, rootOf } from './lexeme.ts'
import { tokensOf } from './tokens.ts'

/** An excerpt is made of so many characters, around the first word that matches. */
const excerptLength = 600
const before = 150
const maxWords = 35
const wordsBefore = 12

/** An excerpt as HTML: escaped text, in which marks enclose the words that match. */
export function highlight(text: string, lexemes: readonly string[]): string {
  const excerpt = excerptOf(text, lexemes)
  const sought = new Set(lexemes)
  const tokens = tokensOf(excerpt)
  const isMarked = tokens.map(({ from, to }) =>
    sought.has(lexemeOf(excerpt.slice(from, to).toLowerCase()) ?? ''),
  )
  const first = Math.max(0, isMarked.indexOf(true) - wordsBefore)
  const start = first === 0 ? 0 : (tokens[first]?.from ?? 0)
  const end = tokens.length - first > maxWords ? (tokens[first + maxWords - 1]?.to ?? 0) : excerpt.length
  let html = ''
  let done = start
  tokens.forEach(({ from, to }, index) => {
    if (!isMarked[index] || from < start || to > end) return
    html += `${escapeHtml(excerpt.slice(done, from))}<mark>${escapeHtml(excerpt.slice(from, to))}</mark>`
    done = to
  })
  return html + escapeHtml(excerpt.slice(done, end))
}

function excerptOf(text: string, lexemes: readonly string[]): string {
  if (text.length <= excerptLength) return text
  const lower = text.toLowerCase()
  const places = lexemes.map((lexeme) => lower.indexOf(rootOf(lexeme))).filter((place) => place >= 0)
  const start = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - before)
  return text.slice(start, start + excerptLength).toWellFormed()
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character)
}
