/**
 * Chooses which requests are told as events when there are more than may be told. Each event stands for itself and
 * those passed over before it. Errors come first: a tenth of the events is kept for them.
 */
export class ApiCallSampler {
  #perSecond: number
  #now: () => number
  #secondBegan = 0
  #told = 0
  /** Good requests of this second, and every how many of them one is told. */
  #good = 0
  #stride = 1
  #passedOver = { good: 0, errors: 0 }

  constructor(perSecond: number, now: () => number = Date.now) {
    this.#perSecond = perSecond
    this.#now = now
  }

  /** How many requests the event for this one stands for; 0 when it is not told. */
  choose(isError: boolean): number {
    this.#beginSecond()
    return isError ? this.#chooseError() : this.#chooseGood()
  }

  #chooseError(): number {
    this.#passedOver.errors++
    if (this.#told >= this.#perSecond) return 0
    return this.#tell('errors')
  }

  #chooseGood(): number {
    this.#good++
    this.#passedOver.good++
    if (this.#good % this.#stride !== 0 || this.#told >= this.#mostGood) return 0
    return this.#tell('good')
  }

  #tell(kind: 'good' | 'errors'): number {
    this.#told++
    const standsFor = this.#passedOver[kind]
    this.#passedOver[kind] = 0
    return standsFor
  }

  #beginSecond(): void {
    const second = Math.floor(this.#now() / 1000)
    if (second === this.#secondBegan) return
    // As many came in the last second, so they are likely to come in this one.
    this.#stride = Math.max(1, Math.ceil(this.#good / Math.max(1, this.#mostGood)))
    this.#secondBegan = second
    this.#told = 0
    this.#good = 0
  }

  get #mostGood(): number {
    return this.#perSecond - Math.floor(this.#perSecond / 10)
  }
}
