/** Small and repeatable: the same seed makes the same requests on every machine. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  chance(percent: number): boolean {
    return this.below(100) < percent
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new Error('there is nothing to pick from')
    return item
  }

  times<Item>(least: number, most: number, make: (index: number) => Item): Item[] {
    return Array.from({ length: this.between(least, most) }, (_, index) => make(index))
  }

  /** Some of the fields, each as likely as the others; a field with several values gets one of them. */
  some(percent: number, choices: Readonly<Record<string, readonly unknown[]>>): Record<string, unknown> {
    const chosen = Object.entries(choices).filter(([, values]) => values.length > 0 && this.chance(percent))
    return Object.fromEntries(chosen.map(([field, values]) => [field, this.pick(values)]))
  }
}
