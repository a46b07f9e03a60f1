import { tooMany } from '#kernel/errors'
import { createRateLimit } from '#kernel/http'

/** How many credentials that nobody has one address may try, keys and access tokens together. */
export interface UnknownKeyLimit {
  /** Refuses the next one where there were too many. */
  count(address: string): void
  /** For a key that turned out to exist. */
  giveBack(address: string): void
}

/** Of new keys per address: wide enough for every key of a company behind one proxy after a restart. */
const limits = { burst: 1_000, perSecond: 10 }

export function createUnknownKeyLimit(): UnknownKeyLimit {
  const lookups = createRateLimit(limits)
  return {
    count(address) {
      const seconds = lookups(address)
      if (seconds > 0) throw tooMany('unknownKeys', seconds)
    },
    giveBack: lookups.giveBack,
  }
}
