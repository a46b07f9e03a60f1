import type { Membership, Principal } from '#kernel/auth'
import type { Executor } from '../audit/audit.ts'

/** Who asks, in which group, and until when they listen. */
export interface Caller {
  principal: Principal
  group: Membership
  executor: Executor
  signal: AbortSignal
}
