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
}
