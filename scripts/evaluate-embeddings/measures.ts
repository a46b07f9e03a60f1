/** How well one list of numbers keeps the order of another: 1 the same, 0 no relation. Equal values share a rank. */
export function spearman(first: readonly number[], second: readonly number[]): number {
  const [a, b] = [ranks(first), ranks(second)]
  const mean = (first.length + 1) / 2
  let [both, left, right] = [0, 0, 0]
  a.forEach((rank, index) => {
    const [x, y] = [rank - mean, (b[index] ?? 0) - mean]
    both += x * y
    left += x * x
    right += y * y
  })
  return both / Math.sqrt(left * right)
}

function ranks(values: readonly number[]): number[] {
  const sorted = values.map((value, index) => ({ value, index })).toSorted((a, b) => a.value - b.value)
  const found: number[] = Array.from({ length: values.length }, () => 0)
  for (let from = 0; from < sorted.length;) {
    let to = from
    while (sorted[to + 1]?.value === sorted[from]?.value && to + 1 < sorted.length) to += 1
    for (let at = from; at <= to; at += 1) found[sorted[at]?.index ?? 0] = (from + to) / 2 + 1
    from = to + 1
  }
  return found
}

/** The share of (related, unrelated) choices in which the related one has the greater value. */
export function pairAccuracy(related: readonly number[], unrelated: readonly number[]): number {
  const wins = related.flatMap((near) => unrelated.map((far) => (near > far ? 1 : near === far ? 0.5 : 0)))
  return wins.reduce<number>((sum, win) => sum + win, 0) / wins.length
}

export interface Retrieval {
  recallAt1: number
  recallAt10: number
  /** Mean of one over the place of the right document. */
  mrr: number
}

/** `places`: at which place, from 1, the right document of each query came. */
export function retrieval(places: readonly number[]): Retrieval {
  const share = (isGood: (place: number) => boolean): number => places.filter(isGood).length / places.length
  return {
    recallAt1: share((place) => place === 1),
    recallAt10: share((place) => place <= 10),
    mrr: places.reduce((sum, place) => sum + 1 / place, 0) / places.length,
  }
}

/** Document indexes, best first; equal scores stay in the documents' order. */
export const ranking = (scores: readonly number[]): number[] =>
  scores.map((_, index) => index).toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))

export const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
