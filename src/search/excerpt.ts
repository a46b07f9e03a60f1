import { composed, eachWord, isWord, parseQuery, soughtWords } from '#kernel/words'
import { plainText } from './plain-text.ts'

export interface Excerpt {
  text: string
  /** Where the query's words are in it: from and up to, in UTF-16 units. */
  highlights: [number, number][]
}

const maxCharacters = 300
/** Shown before the first word that was found. */
const before = 60
const ellipsis = '…'

interface Place {
  from: number
  to: number
  /** Which word of the query it is. */
  word: number
}

/** The part of a text that has most of the words of a query, cut between words, with their places. */
export function toExcerpt(markdown: string, query: string): Excerpt {
  const text = composed(plainText(markdown))
  const places = placesOf(text, query)
  if (text.length <= maxCharacters) return { text, highlights: places.map(({ from, to }) => [from, to]) }
  const best = places.reduce(
    (found, { from }) => {
      const count = new Set(inside(places, from, from + maxCharacters - before).map(({ word }) => word)).size
      return count > found.count ? { count, from } : found
    },
    { count: 0, from: 0 },
  )
  const start = wordStart(text, Math.max(0, Math.min(best.from - before, text.length - maxCharacters)))
  const end = wordEnd(text, Math.min(text.length, start + maxCharacters))
  const opening = start > 0 ? ellipsis : ''
  const shift = opening.length - start
  return {
    text: opening + text.slice(start, end).trimEnd() + (end < text.length ? ellipsis : ''),
    highlights: inside(places, start, end).map(({ from, to }) => [from + shift, to + shift]),
  }
}

function placesOf(text: string, query: string): Place[] {
  const parsed = parseQuery(query)
  const sought = parsed ? soughtWords(parsed).map((word) => ({ ...word, exact: null })) : []
  const places: Place[] = []
  eachWord(text, (forms, { from, to }) => {
    const word = sought.findIndex((each) => isWord(forms, each))
    if (word >= 0) places.push({ from, to, word })
  })
  return places
}

const inside = (places: readonly Place[], start: number, end: number): Place[] =>
  places.filter(({ from, to }) => from >= start && to <= end)

/** Text without blanks is cut where it must be. */
function wordStart(text: string, at: number): number {
  if (at === 0) return 0
  const blank = text.indexOf(' ', at - 1)
  return blank >= 0 && blank < at + before / 2 ? blank + 1 : at
}

function wordEnd(text: string, at: number): number {
  if (at === text.length) return at
  const blank = text.lastIndexOf(' ', at)
  return blank > at - before ? blank : at
}
