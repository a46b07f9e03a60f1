import { lexemeOf, nextToken } from '../words/index.ts'

/*
 * A term is a hash of a word, or of a mark such as the role. Two words with one term are no error: every text that is
 * found is compared with the query.
 */
export const termBits = 26

function termOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> (32 - termBits)
}

export const wordTerm = (lexeme: string): number => termOf(lexeme)

/** No word contains the sign before it. */
const mark = (kind: string, value: string | number): number => termOf(`\u0002${kind}${value}`)
export const roleTerm = (role: number): number => mark('r', role)
export const kindTerm = (kind: number): number => mark('k', kind)
export const toolTerm = (tool: string): number => mark('t', tool)
export const sessionTerm = (no: string): number => mark('s', no)

/** Terms by word: the same words come again and again, and their endings take long to cut off. -1: not searched for. */
const known = new Map<string, number>()
const maxKnown = 200_000
const maxKnownLength = 32

export function eachTerm(text: string, visit: (term: number) => void): void {
  const lower = text.toLowerCase()
  for (let token = nextToken(lower, 0); token !== null; token = nextToken(lower, token.to)) {
    const word = lower.slice(token.from, token.to)
    let term = known.get(word)
    if (term === undefined) {
      const lexeme = lexemeOf(word)
      term = lexeme === null ? -1 : wordTerm(lexeme)
      remember(word, term)
    }
    if (term >= 0) visit(term)
  }
}

function remember(word: string, term: number): void {
  if (word.length > maxKnownLength) return
  if (known.size >= maxKnown) known.clear()
  // A copy: a part of a text would keep the whole of it in memory.
  known.set(Buffer.from(word).toString(), term)
}
