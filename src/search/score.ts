/** What is known of a document for a query. */
export interface Evidence {
  /** Its title or its ID is the query. */
  isExact: boolean
  /** The share of the query's words that its title has. */
  title: number
  /** The share that its title and one piece of its text have together. */
  words: number
  /** The cosine; null where it was not near enough to be compared. */
  similarity: number | null
  at: Date
}

/** The scores of each step, from one to just below the other. A document of a higher step comes before any of a lower. */
const steps = {
  allInTitle: [0.85, 0.99],
  someInTitle: [0.7, 0.85],
  allInText: [0.6, 0.7],
  meaning: [0, 0.6],
} as const

/** A title with fewer of the words has them by chance. */
export const someWords = 0.5

function stepOf({ title, words }: Evidence): readonly [number, number] {
  if (title >= 1) return steps.allInTitle
  if (title >= someWords) return steps.someInTitle
  return words >= 1 ? steps.allInText : steps.meaning
}

/** Within a step: all words are worth more than what two texts about the same thing differ in, some words little. */
const worth = { similarity: 1, allWords: 0.3, someWords: 0.1, freshness: 0.02 } as const
const highest = worth.similarity + worth.allWords + worth.freshness

/** Halves within a month. */
const freshMs = 30 * 86_400_000

/**
 * From 0 to 1: what is called like the query, all its words in the title, at least half of them in the title, all words
 * in the text, then meaning; among equals the newer one. `floor` stands for a similarity that is not known.
 */
export function scoreOf(evidence: Evidence, floor: number, now: number): number {
  if (evidence.isExact) return 1
  const { words, similarity, at } = evidence
  const ofWords = words >= 1 ? worth.allWords : worth.someWords * words ** 3
  const freshness = worth.freshness / (1 + Math.max(0, now - at.getTime()) / freshMs)
  const [from, to] = stepOf(evidence)
  const within = (Math.max(0, similarity ?? floor) * worth.similarity + ofWords + freshness) / highest
  return from + (to - from) * Math.min(within, 0.999)
}
