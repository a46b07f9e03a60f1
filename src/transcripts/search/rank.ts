/** So much of a text decides its rank: the whole of a long one would take too long to read. */
const rankedCharacters = 2_000

/** More occurrences of one word count less and less; a word that is missing counts more than any of them. */
const saturation = 1.2

/**
 * How well a text matches, from 0 to 1: for each word how often it occurs, less in long texts. The index has decided
 * that the text matches; words that it found by other endings, or further on, count as absent here.
 */
export function rankOf(text: string, words: readonly string[]): number {
  if (words.length === 0) return 0
  const lower = text.slice(0, rankedCharacters).toLowerCase()
  const norm = 0.75 + lower.length / (4 * rankedCharacters)
  const score = words.reduce((sum, word) => {
    const count = occurrences(lower, word)
    return sum + count / (count + saturation * norm)
  }, 0)
  return Math.round((score / words.length) * 10_000) / 10_000
}

function occurrences(text: string, word: string): number {
  let count = 0
  for (let at = text.indexOf(word); at >= 0 && count < 10; at = text.indexOf(word, at + word.length)) count++
  return count
}
