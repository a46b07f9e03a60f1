interface Hashed {
  readonly text: string
  readonly hash: number
}

/** At most this many words with one hash are kept: a text that is made of them must not take long. */
const maxProbes = 16

/**
 * Finds words by a part of a text. A map would need a string for each part, and its hash: nearly all the time in which
 * a text is read.
 */
export class WordTable<T extends Hashed> {
  /** A word is at the place of its hash or, where others are, at one of the next. Half of the places stay free. */
  #places: (T | undefined)[] = Array.from({ length: 1_024 })
  #size = 0

  get size(): number {
    return this.#size
  }

  find(text: string, from: number, length: number, hash: number): T | undefined {
    const last = this.#places.length - 1
    for (let probe = 0; probe < maxProbes; probe++) {
      const word = this.#places[(hash + probe) & last]
      if (word === undefined) return undefined
      if (word.text.length === length && text.startsWith(word.text, from)) return word
    }
    return undefined
  }

  /** One that is not there. */
  add(word: T): void {
    if (2 * this.#size >= this.#places.length) {
      const before = this.#places
      this.#places = Array.from({ length: 2 * before.length })
      this.#size = 0
      for (const each of before) if (each !== undefined) this.#put(each)
    }
    this.#put(word)
  }

  #put(word: T): void {
    const last = this.#places.length - 1
    for (let probe = 0; probe < maxProbes; probe++) {
      const place = (word.hash + probe) & last
      if (this.#places[place] !== undefined) continue
      this.#places[place] = word
      this.#size++
      return
    }
    this.#places[word.hash & last] = word
  }
}
