import { isUnspacedAt, nextToken, unspaced, type Token } from './characters.ts'
import { formsOfWord, type Forms } from './forms.ts'
import { WordTable } from './word-table.ts'

/** One lexeme of a tsvector. The texts of two are never equal. */
export interface Entry {
  readonly text: string
  /** What the vector that is being made has of it; `vector` says which one that is. */
  vector: number
  count: number
  last: number
}

export interface Word extends Forms {
  text: string
  /** Of its characters in the text. */
  hash: number
  /** What a tsvector has: the word as it is written, and behind a sign that no word contains the other lexemes. */
  entry: Entry
  others: readonly Entry[]
  /** Of each lexeme, `hashOf` it. */
  hashes: readonly number[]
}

export const foundBy = '\u0003'

/** Longer words are data; they are compared by their beginning. */
const maxLength = 100
const maxEntries = 200_000
/** Many spellings can have one lexeme. */
const maxWords = 100_000
const maxKeptLength = 32

/**
 * Words with their forms: the same ones come again and again, and their endings take long to cut off. They are found by
 * their characters in the text, without a string made for each.
 */
export class Lexicon {
  readonly #words = new WordTable<Word>()
  readonly #entries = new Map<string, Entry>()

  get isFull(): boolean {
    return this.#entries.size >= maxEntries || this.#words.size >= maxWords
  }

  /** The text is composed. A character of a script without spaces is found alone and together with the next one. */
  wordAt(text: string, token: Token): Word {
    const { from, to, kind, hash } = token
    if (kind === unspaced) return this.#unspacedAt(text, token)
    const length = Math.min(to - from, maxLength)
    const known = this.#words.find(text, from, length, hash)
    if (known !== undefined) return known
    const own = copyOf(text.slice(from, from + length))
    const word = this.#toWord(own, hash, formsOfWord(own))
    // Half of a character becomes another one in the copy, and would not be found.
    if (length <= maxKeptLength && text.startsWith(own, from)) this.#words.add(word)
    return word
  }

  #unspacedAt(text: string, { from, to, hash }: Token): Word {
    const one = copyOf(text.slice(from, Math.min(to, from + maxLength)))
    if (!isUnspacedAt(text, to)) return this.#toWord(one, hash, { exact: one, lexemes: [one] })
    const pair = copyOf(text.slice(from, Math.min(nextToken(text, to)?.to ?? to, from + maxLength)))
    return this.#toWord(pair, hash, { exact: pair, lexemes: [pair, one] })
  }

  #toWord(text: string, hash: number, { exact, lexemes }: Forms): Word {
    // One string where they are equal: what is compared is then near what is written.
    const entry = this.#entry(exact === text ? text : exact)
    const others = lexemes.filter((lexeme) => lexeme !== exact)
    return {
      text: entry.text === text ? entry.text : text,
      hash,
      exact: entry.text,
      lexemes,
      entry,
      others: others.length === 0 ? none : others.map((lexeme) => this.#entry(foundBy + lexeme)),
      hashes: lexemes.map(hashOf),
    }
  }

  #entry(text: string): Entry {
    let entry = this.#entries.get(text)
    if (entry === undefined) this.#entries.set(text, (entry = { text, vector: 0, count: 0, last: -1 }))
    return entry
  }
}

/** 32 bits, all of which depend on every character. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

const none: readonly Entry[] = []

/** The engine copies parts below this length; a longer one would keep the whole text in memory. */
const shortestPart = 13
const copyOf = (part: string): string => (part.length < shortestPart ? part : Buffer.from(part).toString())

let current = new Lexicon()

/** The words known so far. What is made of several of them takes all from one lexicon. */
export function lexicon(): Lexicon {
  return current.isFull ? (current = new Lexicon()) : current
}

/** Every word of a text in its order. The text is composed. */
export function eachWord(
  text: string,
  visit: (word: Word, token: Token) => void,
  words: Lexicon = lexicon(),
): void {
  for (let token = nextToken(text, 0); token !== null; token = nextToken(text, token.to))
    visit(words.wordAt(text, token), token)
}
