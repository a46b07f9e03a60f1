import { BoundedCache } from '#kernel/cache'
import { tooMany } from '#kernel/errors'
import { createRateLimit } from '#kernel/http'

/** Below this size it costs next to nothing to try every webhook. */
export const cheapBytes = 16 * 1024

/**
 * A delivery without an ID is verified with the secret of every webhook, so an address that sends large bodies with
 * wrong signatures has to wait before the next large one is read.
 */
export function createWrongSignatures(now: () => number = Date.now) {
  const limit = createRateLimit({ burst: 20, perSecond: 1, now })
  const waitsUntil = new BoundedCache<string, Date>('webhook wrong signatures', 10_000)
  return {
    count(address: string): void {
      const seconds = limit(address)
      if (seconds > 0) waitsUntil.set(address, new Date(now() + seconds * 1_000))
    },
    /** Throws while the address has to wait. */
    check(address: string): void {
      const seconds = Math.ceil(((waitsUntil.get(address)?.getTime() ?? 0) - now()) / 1_000)
      if (seconds > 0) throw tooMany('signatures', seconds)
    },
  }
}

export type WrongSignatures = ReturnType<typeof createWrongSignatures>
