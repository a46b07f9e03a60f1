import { stemmer } from 'stemmer'

/** Words that are in nearly every English text: outside of quotes they are not searched for. */
const commonWords = new Set(
  `i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it
  its itself they them their theirs themselves what which who whom this that these those am is are was were be been
  being have has had having do does did doing a an the and but if or because as until while of at by for with about
  against between into through during before after above below to from up down in out on off over under again further
  then once here there when where why how all any both each few more most other some such no nor not only own same so
  than too very s t can will just don should now`.split(/\s+/),
)

export const isCommon = (word: string): boolean => commonWords.has(word)

const plainWord = /^[a-z]+$/
/** Longer runs of letters are data, not words. */
const maxStemmed = 40

/** What all English endings of a word have in common. The word is folded. */
export function stemOf(word: string): string {
  return word.length <= maxStemmed && plainWord.test(word) ? stemmer(word) : word
}

/** The beginning that every word with this stem has: an ending may replace its last two letters. */
export function rootOf(stem: string): string {
  const replaced = stem.length > 3 ? 2 : stem.length > 1 ? 1 : 0
  return plainWord.test(stem) ? stem.slice(0, stem.length - replaced) : stem
}
