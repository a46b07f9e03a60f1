import type { Config } from '#kernel/config'
import { Places } from '#kernel/http'

/** What the WebSocket connections of a process may take together. */
export class SocketLimits {
  /** For connections, by key. */
  readonly places: Places
  /** For conversations that may continue. */
  readonly memory: ByteBudget
  /** For messages that are arriving or wait for their turn. */
  readonly messages: ByteBudget

  constructor(config: Config) {
    this.places = new Places({
      what: 'WebSocket connections',
      owner: 'key',
      max: config.MAX_WEBSOCKETS,
      maxPerOwner: config.MAX_WEBSOCKETS_PER_KEY,
    })
    this.memory = new ByteBudget(config.WEBSOCKET_MEMORY_BYTES)
    this.messages = new ByteBudget(Math.max(config.BODY_BUDGET_BYTES, config.MAX_BODY_BYTES))
  }
}

export class ByteBudget {
  readonly #limit: number
  #used = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Replaces what a holder has by another amount; false, and nothing changes, where it is too much. */
  change(from: number, to: number): boolean {
    if (to > from && this.#used - from + to > this.#limit) return false
    this.#used += to - from
    return true
  }
}
