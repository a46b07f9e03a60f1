import type { Principal } from '#kernel/auth'
import type { Policy } from '../contract.ts'
import { executorOf, type Attempt } from './audit.ts'

/** A policy of an agent as it is from now on; null: the agent has none any more. */
export interface PolicyChange {
  principal: Principal
  groupId: string
  agentId: string
  version: number
  policy: Policy | null
}

/** The entry of the audit log, with the whole new policy in place of a statement. */
export function attemptOfChange({ principal, groupId, agentId, version, policy }: PolicyChange): Attempt {
  const text = JSON.stringify(policy)
  return {
    groupId,
    kind: 'policy',
    database: policy?.allowed_databases.join(', ') ?? '',
    text,
    safeText: text,
    by: executorOf(principal),
    agentId,
    policyVersion: version,
    reason: `Version ${version} of the policy`,
    operations: [],
    rule: null,
    approvalId: null,
  }
}
