export interface Random {
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number
  pick<L extends readonly [unknown, ...unknown[]]>(list: L): L[number]
}

/** The same numbers in every demo (mulberry32), so that its pictures and stories are the same. */
export function createRandom(seed: number): Random {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const whole = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  return { whole, pick: (list) => list[whole(0, list.length - 1)] ?? list[0] }
}
