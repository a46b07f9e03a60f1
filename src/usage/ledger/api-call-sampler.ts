/**
 * Chooses which requests become events when there are more than the limit. Each event represents itself and the
 * requests skipped before it. Errors come first: a tenth of the events is reserved for them.
 */
export class ApiCallSampler {
  #perSecond: number
  #now: () => number
  #second = 0
  #emitted = 0
  /** Successful requests of this second, and of how many of them one becomes an event. */
  #successes = 0
  #stride = 1
  #skipped = { successes: 0, errors: 0 }

  constructor(perSecond: number, now: () => number = Date.now) {
    this.#perSecond = perSecond
    this.#now = now
  }

  /** How many requests the event for this one represents; 0 when it gets no event. */
  sample(isError: boolean): number {
    this.#startSecond()
    return isError ? this.#sampleError() : this.#sampleSuccess()
  }

  #sampleError(): number {
    this.#skipped.errors++
    if (this.#emitted >= this.#perSecond) return 0
    return this.#choose('errors')
  }

  #sampleSuccess(): number {
    this.#successes++
    this.#skipped.successes++
    if (this.#successes % this.#stride !== 0 || this.#emitted >= this.#maxSuccesses) return 0
    return this.#choose('successes')
  }

  #choose(kind: 'successes' | 'errors'): number {
    this.#emitted++
    const requestCount = this.#skipped[kind]
    this.#skipped[kind] = 0
    return requestCount
  }

  #startSecond(): void {
    const second = Math.floor(this.#now() / 1000)
    if (second === this.#second) return
    // This second is likely to bring as many requests as the last one did.
    this.#stride = Math.max(1, Math.ceil(this.#successes / Math.max(1, this.#maxSuccesses)))
    this.#second = second
    this.#emitted = 0
    this.#successes = 0
  }

  get #maxSuccesses(): number {
    return this.#perSecond - Math.floor(this.#perSecond / 10)
  }
}
