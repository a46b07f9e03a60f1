/*
 * What kinds of characters there are. Everything that is no letter, digit or mark separates words: also typographic
 * quotes, dashes and no-break spaces.
 */

export const separator = 0
export const letter = 1
/** Accents and the like: they continue a word and begin none. */
const mark = 2
/** Of a script that is written without spaces, such as those of Chinese, Japanese and Thai. */
export const unspaced = 3
/** Half of a character beyond the first plane: mostly emoji, each run of them a word. */
const half = 4
const unknown = 255

const kinds = new Uint8Array(0x10000).fill(unknown)
const isUnspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u

function kindOf(code: number): number {
  if (code >= 0xd800 && code <= 0xdfff) return half
  // They only say how a sign before them is drawn.
  if (code >= 0xfe00 && code <= 0xfe0f) return separator
  const character = String.fromCharCode(code)
  if (/\p{M}/u.test(character)) return mark
  if (!/[\p{L}\p{N}]/u.test(character)) return separator
  return isUnspaced.test(character) ? unspaced : letter
}

function kindOfCode(code: number): number {
  const kind = kinds[code] ?? separator
  return kind === unknown ? (kinds[code] = kindOf(code)) : kind
}

const kindAt = (text: string, place: number): number => kindOfCode(text.charCodeAt(place))

/** A run of characters that are one word, or a single character of a script without spaces. */
export interface Token {
  from: number
  to: number
  kind: number
  /** Equal for equal words. */
  hash: number
}

/** The token at this place or after it. */
export function nextToken(text: string, start: number): Token | null {
  for (let from = start; from < text.length; from++) {
    let hash = text.charCodeAt(from)
    const kind = kindOfCode(hash)
    if (kind === separator || kind === mark) continue
    let to = from + 1
    for (; to < text.length; to++) {
      const code = text.charCodeAt(to)
      if (!continues(kindOfCode(code), kind)) break
      hash = (Math.imul(hash, 31) + code) | 0
    }
    return { from, to, kind, hash: hash & 0x3fffffff }
  }
  return null
}

/** The token that contains this place; null when none does. */
export function tokenAround(text: string, place: number): Token | null {
  const isInside = (at: number) => at >= 0 && [letter, mark, half].includes(kindAt(text, at))
  let from = place
  if (kindAt(text, place) !== unspaced) while (isInside(from - 1)) from--
  // Kinds change within such a run, and so do tokens.
  for (let token = nextToken(text, from); token !== null && token.from <= place;) {
    if (token.to > place) return token
    token = nextToken(text, token.to)
  }
  return null
}

function continues(kind: number, of: number): boolean {
  return kind === mark || (kind === of && of !== unspaced)
}

export const isUnspacedAt = (text: string, place: number): boolean => kindAt(text, place) === unspaced
