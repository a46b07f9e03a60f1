import { isUnspacedAt, nextToken, unspaced, type Token } from './characters.ts'
import { stemOf } from './stem.ts'

/** The forms in which a word is found. */
export interface Forms {
  /** As it is written, whatever its case: what a phrase asks for. */
  exact: string
  /** By which an index finds it: its stem and, of a name, the stems of its parts. */
  lexemes: readonly string[]
  /** As written, and behind a sign that no word contains the other lexemes: what a tsvector has. */
  entries: readonly string[]
}

export const foundBy = '\u0003'

/** Longer words are data; they are compared by their beginning. */
const maxLength = 100
/** A name of more parts is a hash or a key. */
const maxParts = 8

/** One form for letters that are the same. The length stays, so that places do. */
export function fold(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ')
}

/** The same letters may be written in two ways. */
export const composed = (text: string): string => text.normalize('NFC')

/** Forms by word: the same words come again and again, and their endings take long to cut off. */
const known = new Map<string, Forms>()
const maxKnown = 100_000
const maxKnownLength = 32

/** The text is composed. A character of a script without spaces is found alone and together with the next one. */
export function formsOf(text: string, { from, to, kind }: Token): Forms {
  if (kind === unspaced) {
    const one = text.slice(from, to)
    if (!isUnspacedAt(text, to)) return toForms(one, [one])
    const pair = text.slice(from, nextToken(text, to)?.to)
    return toForms(pair, [pair, one])
  }
  const word = text.slice(from, Math.min(to, from + maxLength))
  const found = known.get(word)
  if (found !== undefined) return found
  if (word.length > maxKnownLength) return formsOfWord(word)
  if (known.size >= maxKnown) known.clear()
  // A part of a text would keep the whole of it in memory.
  const copy = Buffer.from(word).toString()
  const forms = formsOfWord(copy)
  known.set(copy, forms)
  return forms
}

function formsOfWord(word: string): Forms {
  const exact = fold(word)
  return toForms(exact, [...new Set([exact, ...partsOf(word).map(fold)].map(stemOf))])
}

function toForms(exact: string, lexemes: readonly string[]): Forms {
  const others = lexemes.filter((lexeme) => lexeme !== exact)
  return { exact, lexemes, entries: [exact, ...others.map((lexeme) => foundBy + lexeme)] }
}

const between = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{N})(?=\p{L})|(?<=\p{L})(?=\p{N})/u
const single = /^\p{Lu}?\p{Ll}*$|^\p{Lu}+$|^\p{N}+$/u
const hash = /^[\da-f]{8,}$/i

/** Of PgPoolClient: Pg, Pool and Client, and the beginning PgPool; of order2219: order and 2219. */
function partsOf(word: string): string[] {
  if (single.test(word) || hash.test(word)) return []
  const parts = word.split(between)
  if (parts.length === 1 || parts.length > maxParts) return []
  const beginnings = parts.slice(1, -1).map((_, index) => parts.slice(0, index + 2).join(''))
  return [...parts, ...beginnings].filter((part) => part.length > 1)
}

/** Every word of a text in its order. The text is composed. */
export function eachWord(text: string, visit: (forms: Forms, token: Token) => void): void {
  for (let token = nextToken(text, 0); token !== null; token = nextToken(text, token.to))
    visit(formsOf(text, token), token)
}
