import type { Membership, Principal } from '#kernel/auth'
import type { Executor } from '../audit/audit.ts'

/** Who asks, in which group, and until when they listen. */
export interface Caller {
  principal: Principal
  group: Membership
  executor: Executor
  signal: AbortSignal
}

/** Whose turn it is where calls wait: each key and each person has a share of their own. */
export const ownerOf = ({ keyId, userId, name }: Executor): string => keyId ?? userId ?? name
