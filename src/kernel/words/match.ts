import { nextToken, tokenAround, type Token } from './characters.ts'
import { composed, fold, type Forms } from './forms.ts'
import { lexicon } from './lexicon.ts'
import type { Query, QueryWord, Term } from './query.ts'
import { rootOf } from './stem.ts'

/** Whether the text is what the query asks for. */
export function isMatch(text: string, { alternatives }: Query): boolean {
  const whole = composed(text)
  const folded = fold(whole)
  return alternatives.some((terms) => terms.every((term) => hasTerm(whole, folded, term) !== term.isExcluded))
}

/** Whether a word of a text is the one that is asked for. */
export function isWord({ exact, lexemes }: Forms, word: QueryWord): boolean {
  return word.exact === null ? lexemes.includes(word.lexeme) : word.exact === exact
}

/** Words are found by their beginning, which is much faster than to look at every word of the text. */
function hasTerm(text: string, folded: string, { words: [first, ...others] }: Term): boolean {
  if (first === undefined) return false
  const root = first.exact ?? rootOf(first.lexeme)
  for (let place = folded.indexOf(root); place >= 0;) {
    const token = tokenAround(text, place)
    if (token && isWord(lexicon().wordAt(text, token), first) && goesOn(text, token.to, others)) return true
    place = folded.indexOf(root, Math.max(token?.to ?? 0, place + 1))
  }
  return false
}

/** Whether the other words of a phrase follow, each at its distance. */
function goesOn(text: string, from: number, words: readonly QueryWord[]): boolean {
  let at = 0
  let end = from
  return words.every((word) => {
    let token: Token | null = null
    for (; at < word.at; at++) {
      token = nextToken(text, end)
      if (token === null) return false
      end = token.to
    }
    return token !== null && isWord(lexicon().wordAt(text, token), word)
  })
}
