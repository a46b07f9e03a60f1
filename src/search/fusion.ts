/** Reciprocal rank fusion: lists that cannot be compared by their scores are joined by their ranks. */

/** How much less the second place counts than the first; 60 is what the method's authors found good. */
const damping = 60

export interface Fused<K> {
  key: K
  /** 1 for what is first in every list. */
  score: number
  /** Place in each list, from 1; null where it is not in it. */
  ranks: (number | null)[]
}

/** Each list has a key once, best first. Equal scores keep the order of the first list that has them. */
export function fuse<K>(lists: readonly (readonly K[])[]): Fused<K>[] {
  const found = new Map<K, Fused<K>>()
  const best = lists.length / (damping + 1)
  lists.forEach((list, number) =>
    list.forEach((key, index) => {
      const entry = found.get(key) ?? { key, score: 0, ranks: lists.map(() => null) }
      entry.score += 1 / (damping + index + 1) / best
      entry.ranks[number] = index + 1
      found.set(key, entry)
    }),
  )
  return [...found.values()].toSorted((a, b) => b.score - a.score)
}
