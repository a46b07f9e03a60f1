/**
 * What the gateway needs of limits: a place for a call before it is made. The part `limits` implements it; without one
 * nothing is limited.
 */
export interface Limits {
  /** Whether the group has any. Asked first, so that requests of other groups cost nothing. */
  concerns(groupId: string): boolean
  /**
   * Reserves what a call may use. Undefined when no limit concerns it, which is decided from memory. Throws the Fault
   * `limit_exceeded` or `budget_exceeded` when a limit is spent. A later call with the same request id replaces the
   * earlier reservation: one request holds one, however many attempts it makes.
   */
  reserve(call: LimitedCall): Reservation | undefined | Promise<Reservation | undefined>
}

export interface LimitedCall {
  readonly requestId: string
  readonly startedAt: Date
  readonly groupId: string
  readonly apiKeyId: string | null
  /** The person who asks, or whose key asks. */
  readonly userId: string | null
  /** The request's `user`. */
  readonly userLabel: string | null
  /** Of `metadata.tags`. */
  readonly tags: readonly string[]
  readonly provider: string
  readonly model: string
  /** The size of the request, from which its tokens are estimated. */
  readonly inputBytes: number
  /** The most tokens that a response may have, where the request says so. */
  readonly maxOutputTokens: number | null
  /** How many responses it asks for. */
  readonly choices: number
}

export interface Reservation {
  /** `x-ratelimit-…` of the limits that apply, for the response. */
  readonly headers: Readonly<Record<string, string>>
  /** The call used nothing: everything is given back. */
  release(): void
  /** The request has ended: it no longer counts as running. What it used is settled when its cost is known. */
  end(): void
}
