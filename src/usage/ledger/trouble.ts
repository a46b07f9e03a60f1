import type { Log } from '#kernel/log'

/** Something that fails for a while: told once when it begins and once when it is over. */
export class Trouble {
  #log: Log
  #words: { began: string; ended: string }
  #since: number | undefined

  constructor(log: Log, words: { began: string; ended: string }) {
    this.#log = log
    this.#words = words
  }

  get isOn(): boolean {
    return this.#since !== undefined
  }

  began(reason: string): void {
    if (this.#since !== undefined) return
    this.#since = Date.now()
    this.#log.error({ reason }, this.#words.began)
  }

  ended(): void {
    if (this.#since === undefined) return
    this.#log.info({ seconds: Math.round((Date.now() - this.#since) / 1000) }, this.#words.ended)
    this.#since = undefined
  }
}
