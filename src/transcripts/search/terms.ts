import { composed, eachWord, hashOf } from '#kernel/words'

/*
 * A term is a hash of a word, or of a mark such as the role. Two words with one term are no error: every text that is
 * found is compared with the query.
 */
export const termBits = 26

const toTerm = (hash: number): number => hash >>> (32 - termBits)
const termOf = (text: string): number => toTerm(hashOf(text))

export const wordTerm = (lexeme: string): number => termOf(lexeme)

/** No word contains the sign before it. */
const mark = (kind: string, value: string | number): number => termOf(`\u0002${kind}${value}`)
export const roleTerm = (role: number): number => mark('r', role)
export const kindTerm = (kind: number): number => mark('k', kind)
export const toolTerm = (tool: string): number => mark('t', tool)
export const sessionTerm = (no: string): number => mark('s', no)

export function eachTerm(text: string, visit: (term: number) => void): void {
  eachWord(composed(text), ({ hashes }) => {
    for (const hash of hashes) visit(toTerm(hash))
  })
}
