import type { Api, ClientBody } from '../../api.ts'
import type { RouteCondition } from '../../route-contract.ts'
import { estimateTokens } from '../../wire/estimate-tokens.ts'
import { isObject } from '../../wire/json.ts'
import type { RequestFacts } from '../plan.ts'

/** Reads the request, at most once and only where a condition asks about it. */
export type Facts = () => RequestFacts

/** What a route asks about a request. */
export interface Reading {
  readonly facts: Facts
  /** What the requests of one conversation have in common. */
  readonly conversation: () => string
}

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

/** What conditions ask about a request, read from its body when the first of them asks. */
export function factsOf(api: Pick<Api, 'promptText'>, request: Pick<ClientBody, 'body'>): Facts {
  let known: ReturnType<Facts> | undefined
  return () =>
    (known ??= {
      inputTokens: estimateTokens(api.promptText(request)),
      hasTools: isFilled(request.body['tools']) || isFilled(request.body['functions']),
      hasImages: hasImage(request.body['messages']) || hasImage(request.body['input']),
    })
}

const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0

/** The types of parts with an image, in the three APIs. */
const imageTypes = new Set<unknown>(['image_url', 'input_image', 'image'])

/** Parts are in messages, and images also in the results of tools. */
function hasImage(value: unknown, depth = 0): boolean {
  if (depth > 6) return false
  if (Array.isArray(value)) return value.some((each) => hasImage(each, depth + 1))
  if (!isObject(value)) return false
  return (
    imageTypes.has(value['type']) ||
    hasImage(value['content'], depth + 1) ||
    hasImage(value['output'], depth + 1)
  )
}
