import type { Account } from './account.ts'
import type { Metric } from './limit-shapes.ts'
import type { KnownLimit } from './limit.ts'
import { shown } from './units.ts'

/** For a limit that no time resets. */
export const laterSeconds = 3_600

export const secondsTo = (at: Date | null): number =>
  at === null ? laterSeconds : Math.max(1, Math.ceil((at.getTime() - Date.now()) / 1_000))

/** Of each metric the limit with the least left, in the words of OpenAI's headers. */
export function rateHeaders(accounts: readonly Account[]): Record<string, string> {
  const tightest = new Map<Metric, { account: Account; left: bigint }>()
  for (const account of accounts) {
    const { metric, amount } = account.limit
    const rest = amount - account.taken
    const left = rest > 0n ? rest : 0n
    const known = tightest.get(metric)
    if (!known || left < known.left) tightest.set(metric, { account, left })
  }
  const headers: Record<string, string> = {}
  for (const [metric, { account, left }] of tightest) {
    const names = headerNames[metric]
    headers[names.limit] = amountOf(account.limit)
    headers[names.remaining] = String(shown(metric, left))
    const { endsAt } = account.span
    if (endsAt) headers[names.reset] = duration(secondsTo(endsAt))
  }
  return headers
}

const namesFor = (metric: Metric) => ({
  limit: `x-ratelimit-limit-${metric}`,
  remaining: `x-ratelimit-remaining-${metric}`,
  reset: `x-ratelimit-reset-${metric}`,
})
const headerNames = {
  cost: namesFor('cost'),
  tokens: namesFor('tokens'),
  requests: namesFor('requests'),
  concurrent: namesFor('concurrent'),
}

/** The text of an amount is the same until the limit is changed. */
const amounts = new WeakMap<KnownLimit, string>()

function amountOf(limit: KnownLimit): string {
  const known = amounts.get(limit)
  if (known !== undefined) return known
  const text = String(shown(limit.metric, limit.amount))
  amounts.set(limit, text)
  return text
}

/** As OpenAI writes it: `6m0s`. */
function duration(seconds: number): string {
  const hours = Math.floor(seconds / 3_600)
  const minutes = Math.floor((seconds % 3_600) / 60)
  const rest = `${seconds % 60}s`
  if (hours > 0) return `${hours}h${minutes}m${rest}`
  return minutes > 0 ? `${minutes}m${rest}` : rest
}
