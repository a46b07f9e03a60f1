import type { Failure } from './failure.ts'

interface Rest {
  /** By performance.now(), because the clock of the machine may be set. */
  until: number
  /** How often the key was refused in a row. */
  step: number
}

const firstRestMs = 30_000
const longestRestMs = 600_000
/** Whatever a provider asks for: its word may be wrong, and one call an hour hurts nobody. */
const longestAskedMs = 3_600_000

/** Keys that were refused, and until when they are asked last. Of this process; it notifies the others. */
export class Rests {
  readonly #rests = new Map<string, Rest>()

  /** 0 when the key does not rest. */
  until(keyId: string): number {
    return this.#rests.size === 0 ? 0 : (this.#rests.get(keyId)?.until ?? 0)
  }

  /**
   * A key got 401, 402, 403 or 429: it rests as long as the provider asks, else 30 s, doubled each time. Undefined
   * while it rests already: requests that failed together count once.
   */
  refused(
    keyId: string,
    failure: Failure,
    now = performance.now(),
  ): { ms: number; step: number } | undefined {
    const known = this.#rests.get(keyId)
    if (known && known.until > now) return undefined
    const step = (known?.step ?? 0) + 1
    const doubled = Math.min(longestRestMs, firstRestMs * 2 ** (step - 1))
    const ms = Math.min(failure.retryAfterMs ?? doubled, longestAskedMs)
    this.#rests.set(keyId, { until: now + ms, step })
    return { ms, step }
  }

  /** Another process says so. */
  heard(keyId: string, ms: number, step: number, now = performance.now()): void {
    const known = this.#rests.get(keyId)
    this.#rests.set(keyId, {
      until: Math.max(known?.until ?? 0, now + Math.min(ms, longestAskedMs)),
      step: Math.max(known?.step ?? 0, step),
    })
  }

  /** A call with the key worked. While it rests this may be one that began before. */
  worked(keyId: string, now = performance.now()): void {
    if (this.#rests.size > 0 && this.until(keyId) <= now) this.#rests.delete(keyId)
  }

  /** The key has another secret, or was switched on. */
  forget(keyId: string): boolean {
    return this.#rests.delete(keyId)
  }

  resting(now = performance.now()): number {
    return [...this.#rests.values()].filter(({ until }) => until > now).length
  }
}
