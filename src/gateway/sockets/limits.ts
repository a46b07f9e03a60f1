import type { Config } from '#kernel/config'
import { Fault, faults } from '#kernel/errors'

const retryAfterSeconds = 10

/** What the WebSocket connections of a process may take together. */
export class SocketLimits {
  /** For conversations that go on. */
  readonly memory: ByteBudget
  /** For messages that are arriving or wait for their turn. */
  readonly messages: ByteBudget
  readonly #limits: Pick<Config, 'MAX_WEBSOCKETS' | 'MAX_WEBSOCKETS_PER_KEY'>
  readonly #ofKey = new Map<string, number>()
  #total = 0

  constructor(config: Config) {
    this.#limits = config
    this.memory = new ByteBudget(config.WEBSOCKET_MEMORY_BYTES)
    this.messages = new ByteBudget(Math.max(config.BODY_BUDGET_BYTES, config.MAX_BODY_BYTES))
  }

  /** Returns what gives the place back. */
  take(keyId: string): () => void {
    const count = this.#ofKey.get(keyId) ?? 0
    const { MAX_WEBSOCKETS, MAX_WEBSOCKETS_PER_KEY } = this.#limits
    if (count >= MAX_WEBSOCKETS_PER_KEY) throw tooMany(`The key has ${count} open WebSocket connections`)
    if (this.#total >= MAX_WEBSOCKETS) throw tooMany('The server has too many open WebSocket connections')
    this.#total++
    this.#ofKey.set(keyId, count + 1)
    return () => this.#giveBack(keyId)
  }

  #giveBack(keyId: string): void {
    this.#total--
    const left = (this.#ofKey.get(keyId) ?? 1) - 1
    if (left === 0) this.#ofKey.delete(keyId)
    else this.#ofKey.set(keyId, left)
  }
}

const tooMany = (what: string): Fault =>
  new Fault(faults.rateLimit, `${what}. Close one, or try again later.`, {
    headers: { 'retry-after': String(retryAfterSeconds) },
  })

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
