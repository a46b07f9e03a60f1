import { composed, eachWord } from '#kernel/words'

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

export function eachTerm(text: string, visit: (term: number) => void): void {
  eachWord(composed(text), ({ lexemes }) => {
    for (const lexeme of lexemes) visit(termOf(lexeme))
  })
}
