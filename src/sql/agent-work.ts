import type { Kysely } from 'kysely'
import type { Principal } from '#kernel/auth'
import type { Database } from '#kernel/db'
import type { Events } from '#kernel/events'
import type { Log } from '#kernel/log'
import { endApprovals, findApprovals, type ApprovalRow } from './approvals/approval-store.ts'
import { statusOf } from './approvals/approvals.ts'
import { createAudit, executorOf, type Attempt } from './audit/audit.ts'
import { listWork } from './audit/audit-store.ts'
import { toWork } from './audit/record.ts'
import type { ApprovalStatus, Policy, WorkOf } from './contract.ts'
import type { SqlTables } from './tables.ts'

/** What the registry of agents and their runs need of the proxy. */
export interface AgentWork {
  /** What some keys did, for workflows. */
  workOf: WorkOf
  /** What became of statements that wait for a person, in any group. One that is not there is not in the result. */
  approvalStates(ids: readonly string[]): Promise<ApprovalState[]>
  /** Ends the approvals of a run that has ended. */
  endApprovals(runId: string, reason: string): Promise<void>
  /** Writes a change of policy to the audit log and ends what is open under the old one, in the given transaction. */
  policyChanged<Tables>(transaction: Kysely<Tables>, change: PolicyChange): Promise<void>
}

/** More than the steps of the longest run. */
const maxWork = 2_000

/** It only needs the database: the proxy itself is made after the registry, which it asks for policies. */
export function openAgentWork(kernel: { database: Database; events: Events; log: Log }): AgentWork {
  const { database } = kernel
  const db: Kysely<SqlTables> = database.tables()
  const audit = createAudit({ ...kernel, db, sessions: database.sessions })
  return {
    workOf: async (groupId, keyIds) => (await listWork(db, groupId, keyIds, maxWork)).map(toWork),
    approvalStates: async (ids) => (await findApprovals(db, ids)).map(toState),
    endApprovals: (runId, reason) => endApprovals(db, { runId }, reason),
    async policyChanged(transaction, change) {
      const within = transaction as unknown as Kysely<SqlTables>
      await audit.record(attemptOfChange(change), { status: 'policy_changed' }, within)
      await endApprovals(within, change, 'The policy of the agent changed.')
    },
  }
}

/** A policy of an agent as it is from now on; null: the agent has none any more. */
export interface PolicyChange {
  principal: Principal
  groupId: string
  agentId: string
  version: number
  policy: Policy | null
}

/** The entry of the audit log, with the whole new policy in place of a statement. */
function attemptOfChange({ principal, groupId, agentId, version, policy }: PolicyChange): Attempt {
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

/** What became of a statement that waits for a person. */
export interface ApprovalState {
  id: string
  groupId: string
  /** The key that asked. */
  keyId: string | null
  status: ApprovalStatus
  sql: string
  database: string
  decidedBy: string | null
  note: string | null
  /** Why it ended before anybody decided. */
  endedReason: string | null
  expiresAt: Date
}

const toState = (row: ApprovalRow): ApprovalState => ({
  id: row.id,
  groupId: row.group_id,
  keyId: row.requested_key,
  status: statusOf(row),
  sql: row.sql,
  database: row.database,
  decidedBy: row.decider,
  note: row.note,
  endedReason: row.ended_reason,
  expiresAt: row.expires_at,
})
