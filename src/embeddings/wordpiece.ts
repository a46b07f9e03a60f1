import { BoundedCache } from '#kernel/cache'
import { foldCharacter, kindOfAscii, type Kind } from './fold-character.ts'

export interface Encoded {
  ids: number[]
  /** How much of the text the ids cover: less than its length when it was cut. */
  end: number
}

const longestWord = 100
const maxWords = 20_000

/**
 * The uncased WordPiece of BERT: control characters out, no accents, lower case, split on white space and punctuation,
 * CJK one by one, then the longest piece first. It reads no further than it must, so a long text costs no more than
 * its first `maxTokens` tokens; it is cut between words.
 */
export class WordPiece {
  readonly #vocabulary: ReadonlyMap<string, number>
  /** Stands for words without pieces. */
  readonly unknown: number
  readonly #longestPiece: number
  readonly #remembered = new BoundedCache<string, readonly number[]>('wordpieces', maxWords)

  constructor(vocabulary: ReadonlyMap<string, number>) {
    const unknown = vocabulary.get('[UNK]')
    if (unknown === undefined) throw new Error('The vocabulary has no [UNK].')
    this.#vocabulary = vocabulary
    this.unknown = unknown
    this.#longestPiece = Math.max(...[...vocabulary.keys()].map((piece) => piece.length))
  }

  encode(text: string, maxTokens: number): Encoded {
    const encoded: Encoded = { ids: [], end: 0 }
    let word = ''
    let at = 0
    /** Takes the word that ends here; false when it does not fit any more. */
    const take = (next: string, end: number): boolean =>
      next === '' || this.#add(encoded, next, end, maxTokens)

    while (at < text.length) {
      const start = at
      const run = endOfAsciiWord(text, at)
      if (run > at) {
        // What is over the limit is unknown anyway, and need not be held.
        if (word.length <= 2 * longestWord) word += text.slice(at, Math.min(run, at + 256)).toLowerCase()
        at = run
        continue
      }
      const code = text.codePointAt(at) ?? 0
      at += code > 0xffff ? 2 : 1
      for (const { kind, text: folded } of code < 128 ? asciiFold(code) : foldCharacter(code)) {
        if (kind === 'nothing') continue
        if (kind === 'word') {
          if (word.length <= 2 * longestWord) word += folded
          continue
        }
        if (!take(word, start)) return encoded
        word = ''
        if (kind === 'alone' && !take(folded, at)) return encoded
      }
    }
    if (take(word, text.length)) encoded.end = text.length
    return encoded
  }

  #add(encoded: Encoded, word: string, end: number, maxTokens: number): boolean {
    const pieces = this.#pieces(word)
    const room = maxTokens - encoded.ids.length
    if (pieces.length > room && encoded.ids.length > 0) return false
    // A first word that is longer than the limit is cut inside: every text needs at least one token.
    for (const id of pieces.slice(0, room)) encoded.ids.push(id)
    encoded.end = end
    return pieces.length <= room
  }

  #pieces(word: string): readonly number[] {
    const whole = this.#vocabulary.get(word)
    if (whole !== undefined) return [whole]
    const known = this.#remembered.get(word)
    if (known) return known
    const pieces = this.#split(word)
    this.#remembered.set(word, pieces)
    return pieces
  }

  #split(word: string): readonly number[] {
    if (word.length > longestWord && Array.from(word).length > longestWord) return [this.unknown]
    const ids: number[] = []
    for (let start = 0; start < word.length;) {
      let end = Math.min(word.length, start + this.#longestPiece)
      let id: number | undefined
      for (; end > start; end -= 1) {
        const piece = word.slice(start, end)
        id = this.#vocabulary.get(start === 0 ? piece : `##${piece}`)
        if (id !== undefined) break
      }
      if (id === undefined) return [this.unknown]
      ids.push(id)
      start = end
    }
    return ids
  }
}

function endOfAsciiWord(text: string, from: number): number {
  let at = from
  while (at < text.length && kindOfAscii(text.charCodeAt(at)) === 'word') at += 1
  return at
}

const ascii = Array.from({ length: 128 }, (_, code): { kind: Kind; text: string }[] => [
  { kind: kindOfAscii(code) ?? 'nothing', text: String.fromCharCode(code).toLowerCase() },
])

const asciiFold = (code: number) => ascii[code] ?? []
