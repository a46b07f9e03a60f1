import { composed } from './forms.ts'
import { eachWord, foundBy, lexicon, type Entry, type Word } from './lexicon.ts'
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

/** Of the places of a vector that is being made: the place itself, and which earlier one its lexeme has. */
const places: number[] = []
const earlier: number[] = []
let vector = 0

/** The words of texts, and marks that are compared as they are, as a tsvector in PostgreSQL's binary format. */
export function wordVector(texts: readonly SearchedText[], marks: readonly string[] = []): Buffer {
  const words = lexicon()
  const entries: Entry[] = []
  vector++
  places.length = earlier.length = 0
  let place = 0
  for (const { text, isTitle } of texts) {
    const weight = isTitle ? weightOfTitle : 0
    const add = (entry: Entry): void => {
      if (entry.vector !== vector) entries.push(begin(entry))
      if (place < maxPlace && entry.count < maxPlaces) addPlace(entry, place | weight)
    }
    const visit = ({ entry, others }: Word): void => {
      place++
      add(entry)
      for (const other of others) add(other)
    }
    eachWord(composed(text), visit, words)
    // A phrase does not reach from one text into the next.
    place++
  }
  return write(marks, entries)
}

function begin(entry: Entry): Entry {
  entry.vector = vector
  entry.count = 0
  entry.last = -1
  return entry
}

function addPlace(entry: Entry, place: number): void {
  entry.count++
  earlier.push(entry.last)
  entry.last = places.push(place) - 1
}

let scratch = Buffer.allocUnsafe(65_536)

function write(marks: readonly string[], entries: readonly Entry[]): Buffer {
  let at = 4
  let count = 0
  for (const mark of marks) {
    makeRoom(at, mark.length, 0)
    at = writeShort(0, writeText(mark, at))
    count++
  }
  for (const entry of entries) {
    if (!makeRoom(at, entry.text.length, entry.count)) break
    at = writePlaces(entry, writeShort(entry.count, writeText(entry.text, at)))
    count++
  }
  scratch.writeInt32BE(count, 0)
  return Buffer.from(scratch.subarray(0, at))
}

/** False when the vector would become too large. */
function makeRoom(at: number, length: number, count: number): boolean {
  const needed = at + length * 3 + 3 + count * 2
  if (needed > maxBytes) return false
  if (needed > scratch.length) {
    const larger = Buffer.allocUnsafe(needed * 2)
    scratch.copy(larger, 0, 0, at)
    scratch = larger
  }
  return true
}

/** They are known from the last to the first. */
function writePlaces({ last, count }: Entry, start: number): number {
  const end = start + count * 2
  for (let index = last, at = end - 2; index >= 0; index = earlier[index] ?? -1, at -= 2)
    writeShort(places[index] ?? 0, at)
  return end
}

/** Most words are short and plain: a loop is faster than a call out of the engine. */
function writeText(text: string, at: number): number {
  let end = at
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > 127) {
      end = at + scratch.write(text, at)
      break
    }
    scratch[end++] = code
  }
  scratch[end] = 0
  return end + 1
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
