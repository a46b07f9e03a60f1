const [saturation, lengthWeight] = [1.2, 0.75]

const stopWords = new Set(
  'a an and are as at be by do for from has have how i in is it its no not of on or our that the their they this to was we what when where which who why will with you'.split(
    ' ',
  ),
)

/** Lower case, without the most common words and endings: what a plain full-text index does. */
export const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[a-z0-9]+/g) ?? [])
    .filter((word) => !stopWords.has(word))
    .map((word) => word.replace(/(?<=...)(ing|ed|es|s|e)$/, ''))

/** Okapi BM25 over the documents: gives the scores of all of them for a query. */
export function createBm25(documents: readonly string[]): (query: string) => number[] {
  const counts = documents.map((text) => {
    const words = new Map<string, number>()
    for (const word of wordsOf(text)) words.set(word, (words.get(word) ?? 0) + 1)
    return words
  })
  const lengths = documents.map((text) => wordsOf(text).length)
  const average = lengths.reduce((sum, length) => sum + length, 0) / documents.length
  const rarity = (word: string): number => {
    const holders = counts.filter((words) => words.has(word)).length
    return Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5))
  }
  return (query) => {
    const asked = wordsOf(query).map((word) => ({ word, weight: rarity(word) }))
    return counts.map((words, index) => {
      const longness = 1 - lengthWeight + lengthWeight * ((lengths[index] ?? 0) / average)
      return asked.reduce((sum, { word, weight }) => {
        const times = words.get(word) ?? 0
        return sum + (weight * times * (saturation + 1)) / (times + saturation * longness)
      }, 0)
    })
  }
}
