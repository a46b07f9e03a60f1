import { isIPv6 } from 'node:net'

interface Bucket {
  tokens: number
  at: number
}

interface RateLimitOptions {
  /** How many requests may come at once. */
  burst: number
  perSecond: number
  /** Not the clock of the machine: set back, it would refill nothing until it is there again. */
  now?: () => number
}

const maxNetworks = 20_000

/** Returns 0, or after how many seconds the next request of this network is accepted. */
export interface RateLimit {
  (address: string): number
  /** For a request that turned out not to count. */
  giveBack(address: string): void
}

/** Counts requests by network, in this process: a token bucket for each. */
export function createRateLimit({
  burst,
  perSecond,
  now = () => performance.now(),
}: RateLimitOptions): RateLimit {
  const buckets = new Map<string, Bucket>()
  const take = (address: string): number => {
    const network = networkOf(address)
    const at = now()
    const before = buckets.get(network)
    const refilled = before ? before.tokens + ((at - before.at) / 1_000) * perSecond : burst
    const tokens = Math.min(burst, refilled) - 1
    if (tokens < 0) return Math.ceil(-tokens / perSecond)
    // Deleted first, so that the network that was quiet for longest is the first to be forgotten.
    buckets.delete(network)
    buckets.set(network, { tokens, at })
    if (buckets.size > maxNetworks) buckets.delete(buckets.keys().next().value ?? '')
    return 0
  }
  const giveBack = (address: string): void => {
    const bucket = buckets.get(networkOf(address))
    if (bucket) bucket.tokens = Math.min(burst, bucket.tokens + 1)
  }
  return Object.assign(take, { giveBack })
}

/** An IPv6 host has a whole /64 of addresses. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.toLowerCase().startsWith('::ffff:')) return address
  const [head = '', tail = ''] = address.toLowerCase().split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail.split(':').filter(Boolean)
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}
