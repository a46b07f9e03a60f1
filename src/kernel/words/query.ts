import { isUnspacedAt, unspaced } from './characters.ts'
import { composed } from './forms.ts'
import { eachWord } from './lexicon.ts'
import { isCommon } from './stem.ts'

export interface QueryWord {
  /** By which an index finds it. */
  lexeme: string
  /** As it must be written; null where other endings and names that contain it will do. */
  exact: string | null
  /** How many words it is behind the first one of its term. */
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
  for (const [, minus, phrase, word = ''] of composed(text)
    .replaceAll(/[“”„‟]/g, '"')
    .matchAll(piece)) {
    if (phrase !== undefined) add(wordsOf(phrase, true), minus === '-')
    else if (word.toLowerCase() === 'or') alternatives.push([])
    else if (/^-[^-]/.test(word)) add(wordsOf(word.slice(1), false), true)
    else for (const term of termsOf(word)) add(term, false)
  }
  const searched = alternatives.filter((terms) => terms.length > 0)
  return searched.length === 0 ? null : { alternatives: searched }
}

/** Parts of a path or name need not follow each other; characters of a script without spaces do. */
function termsOf(text: string): QueryWord[][] {
  const terms: QueryWord[][] = []
  for (const word of wordsOf(text, false)) {
    const term = terms.at(-1)
    const first = term?.[0]
    const last = term?.at(-1)
    if (first && last?.exact && word.exact && last.at + 1 === word.at) term?.push(word)
    else terms.push([word])
  }
  return terms.map((term) => fromFirst(term))
}

/** Common words are looked for only in a phrase. All keep their places. */
function wordsOf(text: string, isPhrase: boolean): QueryWord[] {
  const words: QueryWord[] = []
  let at = 0
  eachWord(text, ({ exact, lexemes: [lexeme = exact] }, { from, to, kind }) => {
    const place = at++
    if (kind !== unspaced) {
      if (isPhrase || !isCommon(exact)) words.push({ lexeme, exact: isPhrase ? exact : null, at: place })
    } else if (isUnspacedAt(text, to)) words.push({ lexeme, exact, at: place })
    // The last character of several is in the pair before it.
    else if (!isUnspacedAt(text, from - 1)) words.push({ lexeme, exact: null, at: place })
  })
  return fromFirst(words)
}

function fromFirst(words: readonly QueryWord[]): QueryWord[] {
  const first = words[0]?.at ?? 0
  return words.map((word) => ({ ...word, at: word.at - first }))
}

/** What is looked for, without what must not be there. */
export function soughtWords({ alternatives }: Query): QueryWord[] {
  const words = alternatives
    .flat()
    .filter(({ isExcluded }) => !isExcluded)
    .flatMap((term) => term.words)
  return [...new Map(words.map((word) => [`${word.lexeme} ${word.exact}`, word])).values()]
}
