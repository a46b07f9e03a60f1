import { lexemeOf, rootOf } from './lexeme.ts'
import type { Query, Term } from './query.ts'
import { nextToken, tokenAround, type Token } from './tokens.ts'

/** Whether the text is what the query asks for. */
export function isMatch(text: string, { alternatives }: Query): boolean {
  const lower = text.toLowerCase()
  return alternatives.some((terms) => terms.every((term) => hasTerm(lower, term) !== term.isExcluded))
}

/** Words are found by their beginning, which is much faster than to look at every word of the text. */
function hasTerm(lower: string, { words: [first, ...others] }: Term): boolean {
  if (first === undefined) return false
  const root = rootOf(first.lexeme)
  for (let place = lower.indexOf(root); place >= 0;) {
    const token = tokenAround(lower, place)
    if (token.from === place && isLexeme(lower, token, first.lexeme) && goesOn(lower, token.to, others))
      return true
    place = lower.indexOf(root, Math.max(token.to, place + 1))
  }
  return false
}

/** Whether the other words of a phrase follow, each at its distance. */
function goesOn(lower: string, from: number, words: Term['words']): boolean {
  let at = 0
  let end = from
  return words.every((word) => {
    let token: Token | null = null
    for (; at < word.at; at++) {
      token = nextToken(lower, end)
      if (token === null) return false
      end = token.to
    }
    return token !== null && isLexeme(lower, token, word.lexeme)
  })
}

const isLexeme = (lower: string, { from, to }: Token, lexeme: string): boolean =>
  lexemeOf(lower.slice(from, to)) === lexeme
