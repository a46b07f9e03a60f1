import type { Principal } from '#kernel/auth'
import type { Api, ClientRequest } from '../api.ts'
import type { StoredResponse } from '../catalog/stored-responses.ts'
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
  /** The stored response that the request continues, made by the same API key. */
  readonly previous: StoredResponse | undefined
  /** By the clock of `performance.now()`; Infinity without a limit. */
  readonly deadline: number
  /** Every call and every target that could not be called, in order. */
  readonly trail: Attempt[]
  /** Calls made so far. */
  calls: number
}
