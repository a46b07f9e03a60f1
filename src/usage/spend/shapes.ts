import { add, decimal, subtract, writeDecimal } from '#kernel/decimal'
import type { SpendFigures } from './contract.ts'
import type { PartSums } from './parts-store.ts'

/** Exact; what has no known cost counts as nothing. */
export const minus = (left: string | null, right: string | null): string =>
  writeDecimal(subtract(decimal(left ?? '0'), decimal(right ?? '0')))

export function toFigures(sums: PartSums): SpendFigures {
  return {
    requests: sums.requests,
    errors: sums.errors,
    unpriced_requests: sums.unpriced,
    total_tokens: sums.tokens,
    total_cost: sums.cost,
    before: { requests: sums.requestsBefore, total_cost: sums.costBefore },
    change: minus(sums.cost, sums.costBefore),
  }
}

export const toChange = ({ cost, costBefore }: PartSums) => ({
  before: costBefore ?? '0',
  now: cost ?? '0',
  change: minus(cost, costBefore),
})

/** The sum of all; unknown only while nothing is known of any. */
export function sumOf(parts: readonly PartSums[]): PartSums {
  const count = (name: 'requests' | 'errors' | 'unpriced' | 'tokens' | 'requestsBefore'): number =>
    parts.reduce((sum, part) => sum + part[name], 0)
  const cost = (name: 'cost' | 'costBefore'): string | null => {
    const known = parts.map((part) => part[name]).filter((each) => each !== null)
    return known.length === 0 ? null : writeDecimal(known.map((each) => decimal(each)).reduce(add))
  }
  return {
    requests: count('requests'),
    errors: count('errors'),
    unpriced: count('unpriced'),
    tokens: count('tokens'),
    cost: cost('cost'),
    requestsBefore: count('requestsBefore'),
    costBefore: cost('costBefore'),
  }
}

/** What is left of the whole. */
export function restOf(total: PartSums, parts: readonly PartSums[]): PartSums {
  return parts.reduce<PartSums>(
    (rest, part) => ({
      requests: rest.requests - part.requests,
      errors: rest.errors - part.errors,
      unpriced: rest.unpriced - part.unpriced,
      tokens: rest.tokens - part.tokens,
      cost: minus(rest.cost, part.cost),
      requestsBefore: rest.requestsBefore - part.requestsBefore,
      costBefore: minus(rest.costBefore, part.costBefore),
    }),
    total,
  )
}
