import type { Route } from '../catalog/registry.ts'
import type { Strategy } from '../route-contract.ts'

/** What a request may try, in order: the model it names, or the targets of a route of its group. */
export interface Plan {
  /** The route's name; null where the request named models itself. */
  readonly route: string | null
  /** The targets are in this order already, but for `least_busy`: only who makes the calls knows what runs. */
  readonly strategy: Strategy
  /** At least one. */
  readonly targets: readonly PlannedTarget[]
  /** The most calls of the request, 1 to 10. One for a plain model, whose pooled keys may add more. */
  readonly attempts: number
  /** Of the whole request; null: only the server's own limit. */
  readonly timeoutMs: number | null
  readonly firstTokenTimeoutMs: number | null
}

export interface PlannedTarget {
  /** The model as the request or the route names it; responses carry it. */
  readonly model: string
  /** The model as its provider and the usage log name it: without the provider's word and slash. */
  readonly name: string
  readonly route: Route
  /** A target may be tied to one key, which then stays alone: it counts before an API key's own choice. */
  readonly providerKeyId: string | null
  readonly weight: number
  /** 0 for what the request names first, 1 for the fallback after it: with `least_busy` too they have this order. */
  readonly rank: number
  /** The provider takes the request's `models` itself. */
  readonly passesModels: boolean
}

/** What the conditions of targets are checked against. */
export interface RequestFacts {
  readonly inputTokens: number
  readonly hasTools: boolean
  readonly hasImages: boolean
}
