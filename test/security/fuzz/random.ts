/** Numbers from 0 to 1, the same for the same seed, so that a finding can be repeated (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Some of each place first, then of all, so that few cases still reach everything. */
export function choose<T extends { key: string; place: string }>(
  all: readonly T[],
  count: number,
  seed: number,
): T[] {
  const random = seeded(seed)
  const shuffled = all
    .map((each) => ({ each, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ each }) => each)
  const turns = new Map<string, number>()
  const inTurns = shuffled.map((each) => {
    const place = `${each.key} ${each.place}`
    const turn = turns.get(place) ?? 0
    turns.set(place, turn + 1)
    return { each, turn }
  })
  return inTurns
    .toSorted((a, b) => a.turn - b.turn)
    .slice(0, count)
    .map(({ each }) => each)
}
