import type { ConsoleEvent, FoundEvent } from '#console/contract'

interface Piece {
  text: string
  isMarked: boolean
}

const escaped = (word: string): string => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Splits a text at the beginnings of these words, in any case. */
export function piecesOf(text: string, words: readonly string[]): Piece[] {
  const longestFirst = [...words].sort((one, other) => other.length - one.length).map(escaped)
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${longestFirst.join('|')})[\\p{L}\\p{N}]*`, 'giu')
  const pieces: Piece[] = []
  let end = 0
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), isMarked: false })
    pieces.push({ text: match[0], isMarked: true })
    end = match.index + match[0].length
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isMarked: false })
  return pieces
}

/** The words of a query that can be marked: not the excluded ones, and not `or`. */
export function wordsOf(query: string): string[] {
  const wanted = query.replaceAll(/(^|\s)-("[^"]*"?|\S+)/g, ' ')
  const words = wanted.match(/[\p{L}\p{N}_]+/gu) ?? []
  return [...new Set(words.map((word) => word.toLowerCase()))].filter((word) => word !== 'or')
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** What to mark in an event: the words that the server found in it, or else the words of the query. */
export function markedWords(event: ConsoleEvent | FoundEvent, words: readonly string[]): readonly string[] {
  if (!('highlight' in event)) return words
  const found = [...event.highlight.matchAll(/<mark>(.*?)<\/mark>/gs)].map(([, text = '']) =>
    text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? ''),
  )
  return found.length === 0 ? words : [...new Set(found)]
}
