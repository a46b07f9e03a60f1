import { tooMany } from '#kernel/errors'

export interface PlaceLimits {
  /** What a place is for, in the plural, as the refusal names it. */
  what: string
  /** Whose places are counted together, as the refusal names them. */
  owner: string
  max: number
  maxPerOwner: number
}

const retryAfterSeconds = 10

/** What is open in this process for a long time, counted together and by owner. */
export class Places {
  readonly #limits: PlaceLimits
  readonly #ofOwner = new Map<string, number>()
  #total = 0

  constructor(limits: PlaceLimits) {
    this.#limits = limits
  }

  /** How many are taken. */
  get total(): number {
    return this.#total
  }

  /** Returns what gives the place back. */
  take(ownerId: string): () => void {
    const count = this.#ofOwner.get(ownerId) ?? 0
    const { what, owner, max, maxPerOwner } = this.#limits
    if (count >= maxPerOwner)
      throw tooMany('openPlaces', retryAfterSeconds, `The ${owner} has ${count} open ${what}`)
    if (this.#total >= max)
      throw tooMany('openPlaces', retryAfterSeconds, `The server has too many open ${what}`)
    this.#total++
    this.#ofOwner.set(ownerId, count + 1)
    return () => this.#giveBack(ownerId)
  }

  #giveBack(ownerId: string): void {
    this.#total--
    const left = (this.#ofOwner.get(ownerId) ?? 1) - 1
    if (left === 0) this.#ofOwner.delete(ownerId)
    else this.#ofOwner.set(ownerId, left)
  }
}
