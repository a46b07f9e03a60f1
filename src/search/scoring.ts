/** What is known of a document for a query. */
export interface Evidence {
  /** Its ID or its title is the query. */
  isExact: boolean
  /** The cosine; null where the document was found by its words alone. */
  similarity: number | null
  /** The share of the query's words that it has. */
  coverage: number
  /** Its place among the documents with the words, from 1. */
  wordsRank: number | null
}

/** All words of the query: worth more than what two texts about the same thing differ in. */
const allWords = 0.3
/**
 * Some of them: little, and the less the fewer. A question in other words than the document's shares a word with many
 * documents by chance; joined by ranks alone, those came before the right one.
 */
const someWords = 0.1
const wordsOrder = 0.02
const highest = 1 + allWords + wordsOrder

/** From 0 to 1. `floor` stands for the similarity of documents that were not near enough to be compared. */
export function scoreOf({ isExact, similarity, coverage, wordsRank }: Evidence, floor: number): number {
  if (isExact) return 1
  const words = coverage >= 1 ? allWords + wordsOrder / (wordsRank ?? 1) : someWords * coverage ** 3
  return Math.max(0, (similarity ?? floor) + words) / highest
}
