import { composed, eachWord, foundBy } from './forms.ts'
import type { Query, QueryWord, Term } from './query.ts'

/*
 * Words for PostgreSQL's full text. A tsvector has every word as it is written, and behind a sign that no word
 * contains, what else it is found by: its stem and the parts of a name. It is made here and not by the database, so
 * that a word is the same everywhere, whatever the locale of the database.
 */

export interface SearchedText {
  text: string
  /** Counts more than others. */
  isTitle: boolean
}

/** Limits of a tsvector: places of words, places of one word, and bytes. */
const maxPlace = 16_383
const maxPlaces = 255
const maxBytes = 900_000
const weightOfTitle = 3 << 14

/** The words of texts, and marks that are compared as they are, as a tsvector in PostgreSQL's binary format. */
export function wordVector(texts: readonly SearchedText[], marks: readonly string[] = []): Buffer {
  const entries = new Map<string, number[]>(marks.map((mark) => [mark, []]))
  let place = 0
  for (const { text, isTitle } of texts) {
    const weight = isTitle ? weightOfTitle : 0
    eachWord(composed(text), (forms) => {
      place++
      for (const entry of forms.entries) add(entries, entry, place, weight)
    })
    // A phrase does not reach from one text into the next.
    place++
  }
  return write(entries)
}

function add(entries: Map<string, number[]>, lexeme: string, place: number, weight: number): void {
  const places = entries.get(lexeme)
  if (places === undefined) entries.set(lexeme, place < maxPlace ? [place | weight] : [])
  else if (place < maxPlace && places.length < maxPlaces) places.push(place | weight)
}

let scratch = Buffer.allocUnsafe(65_536)

function write(entries: ReadonlyMap<string, readonly number[]>): Buffer {
  let at = 4
  let count = 0
  for (const [lexeme, places] of entries) {
    const needed = at + lexeme.length * 3 + 3 + places.length * 2
    if (needed > maxBytes) break
    if (needed > scratch.length) {
      const larger = Buffer.allocUnsafe(needed * 2)
      scratch.copy(larger, 0, 0, at)
      scratch = larger
    }
    at += writeText(lexeme, at)
    scratch[at++] = 0
    at = writeShort(places.length, at)
    for (const place of places) at = writeShort(place, at)
    count++
  }
  scratch.writeInt32BE(count, 0)
  return Buffer.from(scratch.subarray(0, at))
}

/** Most words are short and plain: a loop is faster than a call out of the engine. */
function writeText(text: string, at: number): number {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > 127) return scratch.write(text, at)
    scratch[at + index] = code
  }
  return text.length
}

function writeShort(value: number, at: number): number {
  scratch[at] = value >> 8
  scratch[at + 1] = value & 255
  return at + 2
}

/** The query as a tsquery. */
export function toTsquery({ alternatives }: Query): string {
  return alternatives.map((terms) => `(${terms.map(termText).join(' & ')})`).join(' | ')
}

function termText({ words, isExcluded }: Term): string {
  const text = words
    .map((word, index) => {
      const distance = word.at - (words[index - 1]?.at ?? 0)
      return index === 0 ? wordText(word) : ` <${distance}> ${wordText(word)}`
    })
    .join('')
  return isExcluded ? `!(${text})` : `(${text})`
}

/** A word has no quotes. */
const wordText = ({ lexeme, exact }: QueryWord): string =>
  exact === null ? `('${lexeme}' | '${foundBy}${lexeme}')` : `'${exact}'`
