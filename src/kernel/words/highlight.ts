import { composed, fold } from './forms.ts'
import { eachWord } from './lexicon.ts'
import { isWord } from './match.ts'
import { soughtWords, type Query, type QueryWord } from './query.ts'
import { rootOf } from './stem.ts'

/** In characters, around the first word that matches. */
const excerptLength = 600
const before = 150
const maxWords = 35
const wordsBefore = 12

interface Range {
  from: number
  to: number
  isMarked: boolean
}

/** An excerpt as HTML: escaped text, in which marks enclose the words that match. */
export function highlight(text: string, query: Query): string {
  const sought = soughtWords(query)
  const excerpt = excerptOf(composed(text), sought)
  const ranges: Range[] = []
  eachWord(excerpt, (forms, { from, to }) => {
    const word = sought.find((each) => isWord(forms, each))
    // A pair of characters reaches beyond the first.
    const end = word?.exact ? Math.max(to, from + word.exact.length) : to
    ranges.push({ from, to: end, isMarked: word !== undefined })
  })
  const first = Math.max(0, ranges.findIndex(({ isMarked }) => isMarked) - wordsBefore)
  const start = first === 0 ? 0 : (ranges[first]?.from ?? 0)
  const end = ranges.length - first > maxWords ? (ranges[first + maxWords - 1]?.to ?? 0) : excerpt.length
  let html = ''
  let done = start
  for (const { from, to } of joined(ranges.filter(({ isMarked }) => isMarked))) {
    if (from < start || to > end) continue
    html += `${escapeHtml(excerpt.slice(done, from))}<mark>${escapeHtml(excerpt.slice(from, to))}</mark>`
    done = to
  }
  return html + escapeHtml(excerpt.slice(done, end))
}

function excerptOf(text: string, sought: readonly QueryWord[]): string {
  if (text.length <= excerptLength) return text
  const folded = fold(text)
  const places = sought
    .map(({ exact, lexeme }) => folded.indexOf(exact ?? rootOf(lexeme)))
    .filter((place) => place >= 0)
  const start = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - before)
  return text.slice(start, start + excerptLength).toWellFormed()
}

/** Ranges that overlap as one. */
function joined(ranges: readonly Range[]): Range[] {
  const merged: Range[] = []
  for (const range of ranges) {
    const last = merged.at(-1)
    if (last && range.from < last.to) last.to = Math.max(last.to, range.to)
    else merged.push({ ...range })
  }
  return merged
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
