import { stemmer } from 'stemmer'

/** Words that are in nearly every text: they are not searched for. */
const stopWords = new Set(
  `i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it
  its itself they them their theirs themselves what which who whom this that these those am is are was were be been
  being have has had having do does did doing a an the and but if or because as until while of at by for with about
  against between into through during before after above below to from up down in out on off over under again further
  then once here there when where why how all any both each few more most other some such no nor not only own same so
  than too very s t can will just don should now`.split(/\s+/),
)

const plainWord = /^[a-z]+$/
/** Longer runs of letters are data, not words. */
const maxStemmed = 40

/** What all endings of a word have in common; null for a word that is not searched for. The word is in lower case. */
export function lexemeOf(word: string): string | null {
  if (stopWords.has(word)) return null
  return word.length <= maxStemmed && plainWord.test(word) ? stemmer(word) : word
}

/** The beginning that every word with this lexeme has: an ending may replace its last two letters. */
export function rootOf(lexeme: string): string {
  const replaced = lexeme.length > 3 ? 2 : lexeme.length > 1 ? 1 : 0
  return plainWord.test(lexeme) ? lexeme.slice(0, lexeme.length - replaced) : lexeme
}
