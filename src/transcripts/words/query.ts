import { lexemeOf } from './lexeme.ts'
import { tokensOf } from './tokens.ts'

/** A word with its distance from the first word of its phrase. */
export interface QueryWord {
  lexeme: string
  at: number
}

/** One word, or several that follow each other. */
export interface Term {
  words: QueryWord[]
  isExcluded: boolean
}

/** A text matches when all terms of one of the alternatives do. */
export interface Query {
  alternatives: Term[][]
}

/** Words beyond these are not looked for: each is one more list to read. */
const maxWords = 30
const piece = /(-?)"([^"]*)"?|(\S+)/g

/** Words, "a phrase", `or`, and a minus before what must not be there. Null: nothing that can be searched for. */
export function parseQuery(text: string): Query | null {
  const alternatives: Term[][] = [[]]
  let left = maxWords
  const add = (words: readonly QueryWord[], isExcluded: boolean): void => {
    const kept = words.slice(0, left)
    left -= kept.length
    if (kept.length > 0) alternatives.at(-1)?.push({ words: kept, isExcluded })
  }
  for (const [, minus, phrase, word = ''] of text.matchAll(piece)) {
    if (phrase !== undefined) add(wordsOf(phrase), minus === '-')
    else if (word.toLowerCase() === 'or') alternatives.push([])
    else if (/^-[^-]/.test(word)) add(wordsOf(word.slice(1)), true)
    else for (const { lexeme } of wordsOf(word)) add([{ lexeme, at: 0 }], false)
  }
  const searched = alternatives.filter((terms) => terms.length > 0)
  return searched.length === 0 ? null : { alternatives: searched }
}

/** Words that are not searched for keep their places in a phrase. */
function wordsOf(text: string): QueryWord[] {
  const words = tokensOf(text).flatMap(({ from, to }, at) => {
    const lexeme = lexemeOf(text.slice(from, to).toLowerCase())
    return lexeme === null ? [] : [{ lexeme, at }]
  })
  const first = words[0]?.at ?? 0
  return words.map(({ lexeme, at }) => ({ lexeme, at: at - first }))
}

/** What is looked for, without what must not be there. */
export function soughtLexemes({ alternatives }: Query): string[] {
  const terms = alternatives.flat().filter(({ isExcluded }) => !isExcluded)
  return [...new Set(terms.flatMap(({ words }) => words.map(({ lexeme }) => lexeme)))]
}

export function hasPhrase({ alternatives }: Query): boolean {
  return alternatives.flat().some(({ words }) => words.length > 1)
}
