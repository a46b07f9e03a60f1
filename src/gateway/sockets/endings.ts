import { Fault, faults, tooMany } from '#kernel/errors'
import { bodyTooLarge } from '#kernel/http'

/** Why a connection is closed: the error that its client reads, and the code of the WebSocket protocol. */
export interface Ending {
  readonly fault: Fault
  readonly code: number
  /** Does not wait for a response that is under way. */
  readonly isAtOnce?: boolean
}

const minutes = (ms: number): string =>
  ms < 60_000 ? `${ms / 1000} s` : `${Math.floor(ms / 60_000)} minutes`
const retry = (seconds: string) => ({ headers: { 'retry-after': seconds } })

export const closing = {
  stopping: (): Ending => ({
    fault: new Fault(faults.unavailable, 'The server is stopping. Connect again.', retry('5')),
    code: 1001,
  }),
  tooOld: (ms: number): Ending => ({
    fault: new Fault(
      faults.websocketLimit,
      `The connection has reached its maximum duration (${minutes(ms)}). Connect again.`,
    ),
    code: 1000,
  }),
  idle: (ms: number): Ending => ({
    fault: new Fault(faults.requestTimeout, `No request for ${minutes(ms)}. Connect again.`),
    code: 1000,
  }),
  refused: (): Ending => ({
    fault: new Fault(faults.invalidApiKey, 'The API key is no longer valid for this connection.'),
    code: 1008,
  }),
  binary: (): Ending => ({
    fault: new Fault(faults.invalidRequest, 'Messages must be text: one JSON object each.'),
    code: 1003,
  }),
  tooManyWaiting: (limit: number): Ending => ({
    fault: tooMany('socketMessages', 0, limit),
    code: 1008,
  }),
  overloaded: (): Ending => ({
    fault: new Fault(
      faults.unavailable,
      'Too many large messages are in progress. Connect again after the time in Retry-After; BODY_BUDGET_BYTES sets the limit.',
      retry('2'),
    ),
    code: 1013,
    isAtOnce: true,
  }),
  tooLarge: (limit: number): Ending => ({ fault: bodyTooLarge(limit), code: 1009 }),
}
