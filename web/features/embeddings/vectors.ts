/** The cosine similarity, because all vectors have length 1. */
export const similarityOf = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0)

export const lengthOf = (vector: readonly number[]): number => Math.sqrt(similarityOf(vector, vector))

/** The largest absolute value. */
export const largestOf = (vector: readonly number[]): number =>
  vector.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0)

export interface Pair {
  first: number
  second: number
  similarity: number
}

/** Each pair once, most similar first. */
export function pairsOf(vectors: readonly (readonly number[])[]): Pair[] {
  return vectors
    .flatMap((one, first) =>
      vectors.slice(first + 1).map((other, offset) => ({
        first,
        second: first + 1 + offset,
        similarity: similarityOf(one, other),
      })),
    )
    .toSorted((one, other) => other.similarity - one.similarity)
}
