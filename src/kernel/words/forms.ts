import { stemOf } from './stem.ts'

/** The forms in which a word is found. */
export interface Forms {
  /** As it is written, whatever its case: what a phrase asks for. */
  exact: string
  /** By which an index finds it: its stem and, of a name, the stems of its parts. */
  lexemes: readonly string[]
}

/** A name of more parts is a hash or a key. */
const maxParts = 8

/** Most texts have only characters of one byte, and an expression without any of those takes no time on them. */
const isFoldedApart = /[İΣς]/
const mayBeComposed = /[\u0300-\uffff]/

/** One form for letters that are the same. The length stays, so that places do. */
export function fold(text: string): string {
  if (!isFoldedApart.test(text)) return text.toLowerCase()
  return text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ')
}

/** The same letters may be written in two ways. */
export const composed = (text: string): string => (mayBeComposed.test(text) ? text.normalize('NFC') : text)

export function formsOfWord(word: string): Forms {
  const exact = fold(word)
  return { exact, lexemes: [...new Set([exact, ...partsOf(word).map(fold)].map(stemOf))] }
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
