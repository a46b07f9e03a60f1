/** What became of one try. */
export interface Outcome {
  ok: boolean
  /** Null where no response came. */
  statusCode: number | null
  /** The beginning of the response, not masked yet. */
  response: string | null
  /** Null where it succeeded. */
  error: string | null
  /** Whether another try may succeed. */
  mayRetry: boolean
  /** How long the receiver asks to wait before the next one. */
  waitMs: number
  /** Of a mail that addresses refused, with this try or an earlier one. */
  unreached?: Unreached
}

/** Who a mail has not reached; every other address of the channel has it. */
export interface Unreached {
  /** Refused for now: they are tried again. */
  left: readonly string[]
  /** Refused for good. */
  refused: readonly string[]
}

/** Some have it: the channel as such works. */
export const hasReachedSome = ({ left, refused }: Unreached, addresses: readonly string[]): boolean =>
  left.length + refused.length < new Set(addresses).size
