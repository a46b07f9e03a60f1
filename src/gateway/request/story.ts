import type { Principal } from '#kernel/auth'
import { invalidField } from '#kernel/errors'
import type { Api, ClientRequest } from '../api.ts'
import type { Plan } from '../routing/plan.ts'
import type { ClientConnection } from '../transport/receive.ts'
import type { Answering, Asking } from './client.ts'
import type { RequestLog } from './log-request.ts'
import type { Attempt } from './meter.ts'

/** What all calls of a request have in common. */
export interface Story {
  readonly api: Api
  readonly request: Asking
  readonly principal: Principal
  readonly reply: Answering
  readonly client: ClientConnection
  readonly log: RequestLog
  readonly plan: Plan
  readonly asked: ClientRequest
  /** By the clock of `performance.now()`; Infinity without a limit. */
  readonly deadline: number
  /** Every call and every target that could not be called, in order. */
  readonly trail: Attempt[]
  /** Calls made so far. */
  calls: number
}

export const timeoutHeader = 'x-signalbox-timeout-ms'
const longestTimeoutMs = 86_400_000

/** The client's own limit or that of the route, whichever ends sooner. */
export function deadlineOf({ headers }: Asking, { timeoutMs }: Plan): number {
  const asked = headers[timeoutHeader]
  if (asked === undefined && timeoutMs === null) return Infinity
  const own = asked === undefined ? Infinity : Number(asked)
  if (asked !== undefined && !(Number.isInteger(own) && own >= 1 && own <= longestTimeoutMs))
    throw invalidField(timeoutHeader, 'must be a whole number of milliseconds, at least 1')
  return performance.now() + Math.min(own, timeoutMs ?? Infinity)
}
