import type { Log } from '#kernel/log'

/** A failure that lasts for a while: logged once when it begins and once when it is over. */
export class Incident {
  #log: Log
  #messages: { began: string; ended: string }
  #since: number | undefined

  constructor(log: Log, messages: { began: string; ended: string }) {
    this.#log = log
    this.#messages = messages
  }

  get isActive(): boolean {
    return this.#since !== undefined
  }

  begin(reason: string): void {
    if (this.#since !== undefined) return
    this.#since = Date.now()
    this.#log.error({ reason }, this.#messages.began)
  }

  end(): void {
    if (this.#since === undefined) return
    this.#log.info({ seconds: Math.round((Date.now() - this.#since) / 1000) }, this.#messages.ended)
    this.#since = undefined
  }
}
