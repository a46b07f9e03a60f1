import type { RequestFacts } from '../plan.ts'
import type { RouteCondition } from '../../route-contract.ts'

/** Reads the request, at most once and only where a condition asks about it. */
export type Facts = () => RequestFacts

/** Why a target does not fit a request; undefined where it does. */
export function misfit(
  when: RouteCondition,
  facts: Facts,
  inputPrice: () => string | null,
): string | undefined {
  return misfitOfPrice(when, inputPrice) ?? misfitOfSize(when, facts) ?? misfitOfKind(when, facts)
}

function misfitOfPrice(
  { max_input_price_per_1m: most }: RouteCondition,
  inputPrice: () => string | null,
): string | undefined {
  if (most === undefined) return undefined
  const price = inputPrice()
  if (price === null) return `it has no price, and the route wants at most $${most}`
  return Number(price) > Number(most) ? `it costs $${price}, and the route wants at most $${most}` : undefined
}

function misfitOfSize(
  { max_input_tokens: most, min_input_tokens: least }: RouteCondition,
  facts: Facts,
): string | undefined {
  if (most === undefined && least === undefined) return undefined
  const { inputTokens } = facts()
  if (most !== undefined && inputTokens > most)
    return `the request has about ${inputTokens} input tokens, and the target takes ${most}`
  if (least !== undefined && inputTokens < least)
    return `the request has about ${inputTokens} input tokens, and the target wants at least ${least}`
  return undefined
}

function misfitOfKind({ tools, images }: RouteCondition, facts: Facts): string | undefined {
  if (tools !== undefined && facts().hasTools !== tools) return says('tools', tools)
  if (images !== undefined && facts().hasImages !== images) return says('images', images)
  return undefined
}

const says = (what: string, wanted: boolean): string =>
  wanted ? `the request has no ${what}` : `the request has ${what}`
