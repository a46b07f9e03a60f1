import type { Route } from '../catalog/registry.ts'

/** What a request may try, in order: the model it names, or the targets of a route of its group. */
export interface Plan {
  /** The route's name; null where the request named models itself. */
  readonly route: string | null
  readonly targets: readonly PlannedTarget[]
  /** The most calls of the request, 1 to 10. One for a plain model with a key that is not pooled. */
  readonly attempts: number
  /** Of the whole request; null: only the server's own limit. */
  readonly timeoutMs: number | null
  readonly firstTokenTimeoutMs: number | null
}

export interface PlannedTarget {
  /** The model as a client would name it; responses carry it. */
  readonly model: string
  readonly route: Route
  /** A target may be tied to one key. */
  readonly providerKeyId: string | null
}

/** What the conditions of targets are checked against. */
export interface RequestFacts {
  readonly inputTokens: number
  readonly hasTools: boolean
  readonly hasImages: boolean
}
