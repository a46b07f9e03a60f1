import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Membership, Principal } from '#kernel/auth'
import { lockUntilCommit } from '#kernel/db'
import { Fault, faults, notFound, tooMany } from '#kernel/errors'
import { configActivity, type Events } from '#kernel/events'
import { executorOf, type Attempt, type Audit, type Executor } from '../audit/audit.ts'
import { nobody, type ApprovalStatus, type Policy } from '../contract.ts'
import { Refusal } from '../refusal.ts'
import { withoutConstants } from '../classify/secrets.ts'
import type { SqlTables } from '../tables.ts'
import * as store from './approval-store.ts'

/** The registry of agents, as far as the proxy needs it. */
export interface PolicySource {
  /** 404 where the group has no such agent. */
  find(groupId: string, agentId: string): Promise<AgentPolicy>
  /** Whether a run has not ended. */
  isRunOpen(groupId: string, runId: string): Promise<boolean>
}

export interface AgentPolicy {
  id: string
  policy_version: number
  config: { policy: Policy | null }
}

export interface ApprovalDeps {
  db: Kysely<SqlTables>
  events: Events
  audit: Audit
  agents: PolicySource
  /** How many people of the group could approve. */
  countAdmins(groupId: string): Promise<number>
}

export type Asked = Omit<store.NewApproval, 'id' | 'expires_at'>

const lifetimeMs = 24 * 3_600_000
const maxWaiting = 100

/** Statements that wait for a person. */
export function createApprovals(deps: ApprovalDeps) {
  const { db, events, audit, agents } = deps

  /** The person who asked may not approve it, where the policy or the environment says so. */
  async function needsOtherPerson(row: Pick<store.ApprovalRow, 'group_id' | 'agent_id'>): Promise<boolean> {
    const policy = (await agents.find(row.group_id, row.agent_id).catch(ignoreNotFound))?.config.policy
    if (policy?.four_eyes !== undefined) return policy.four_eyes
    return policy?.environment === 'prod' && (await deps.countAdmins(row.group_id)) >= 2
  }

  /** A statement that was still being looked at when its run ended leaves an approval behind. */
  async function checkRun(row: store.ApprovalRow): Promise<void> {
    const runId = row.asked_by?.run_id
    if (!runId || (await agents.isRunOpen(row.group_id, runId))) return
    await store.endApprovals(db, { runId }, 'The run that asked for it has ended.')
    throw new Fault(faults.conflict, 'The run that asked for this has ended, and the approval with it.')
  }

  async function check(principal: Principal, row: store.ApprovalRow): Promise<void> {
    await checkRun(row)
    if (isAsker(principal, row) && (await needsOtherPerson(row)))
      throw new Fault(faults.forbidden, 'This policy requires a second admin or owner to approve.')
    const agent = await agents.find(row.group_id, row.agent_id).catch(ignoreNotFound)
    if (agent?.policy_version !== row.policy_version)
      throw new Fault(
        faults.conflict,
        'The policy has changed since this was requested. Reject it and request it again.',
      )
  }

  /** Calls of this process that are being tried. */
  const trying = new Map<string, Promise<store.ApprovalRow | undefined>>()

  async function askedNow(
    about: store.Waiting,
    make: () => Promise<Asked | undefined>,
  ): Promise<store.ApprovalRow | undefined> {
    const waiting = await store.findWaiting(db, about)
    if (waiting) return waiting
    const asked = await make()
    return asked && ask(asked)
  }

  async function ask(asked: Asked): Promise<store.ApprovalRow> {
    const made = await db.transaction().execute(async (transaction) => {
      await lockUntilCommit(transaction, `sql approvals ${asked.group_id}`)
      const waiting = await store.findWaiting(transaction, asked)
      if (waiting) return { row: waiting, isNew: false }
      if ((await store.countWaiting(transaction, asked.group_id)) >= maxWaiting)
        throw tooMany('approvals', 60, maxWaiting)
      const expires_at = new Date(Date.now() + lifetimeMs)
      const row = await store.insertApproval(transaction, { ...asked, id: randomUUID(), expires_at })
      return { row, isNew: true }
    })
    if (made.isNew) announce(events, made.row, 'Approval needed', made.row.requested_by)
    return made.row
  }

  return {
    needsOtherPerson,
    list: (filter: store.ApprovalFilter) => store.listApprovals(db, filter),

    /** Those of other groups do not exist. */
    async find(groupIds: string[], id: string): Promise<store.ApprovalRow> {
      const row = await store.findApproval(db, groupIds, id)
      if (!row) throw notFound('The approval')
      return row
    },

    /**
     * Asks people. The same request again, while it waits, is the same approval, and is not tried again: `make` tries
     * it, which takes locks. Undefined where `make` finds that there is nothing to ask for.
     */
    async askOnce(
      about: store.Waiting,
      make: () => Promise<Asked | undefined>,
    ): Promise<store.ApprovalRow | undefined> {
      const name = [
        about.group_id,
        about.bound_hash.toString('hex'),
        about.requester,
        about.requested_key,
      ].join()
      // One that failed, or whose client disconnected, says nothing about this one.
      const row = await trying.get(name)?.catch(() => undefined)
      if (row) return row
      const asking = askedNow(about, make).finally(() => trying.delete(name))
      trying.set(name, asking)
      return asking
    },

    async decide(
      principal: Principal,
      group: Membership,
      row: store.ApprovalRow,
      decided: { status: 'approved' | 'rejected'; note: string | null },
      by: Executor = executorOf(principal),
    ): Promise<store.ApprovalRow> {
      if (principal.via === 'api_key' || (group.role !== 'admin' && group.role !== 'owner'))
        throw new Fault(faults.forbidden, 'Only an admin or owner who is signed in decides about approvals.')
      if (decided.status === 'approved') await check(principal, row)
      const after = await db.transaction().execute(async (transaction) => {
        const change = { ...decided, by: by.userId, name: by.name }
        const changed = await store.decideApproval(transaction, row.id, change)
        if (changed) await audit.record(attemptOf(changed, by), { status: decided.status }, transaction)
        return changed
      })
      if (!after)
        throw new Fault(faults.conflict, 'This approval was decided by somebody else, or it expired.')
      announce(events, after, `Statement ${decided.status}`, by.userId)
      return after
    },

    /** Whether the approval was given for this. `pending` is not an error: the caller may ask again later. */
    examine(row: store.ApprovalRow, hash: Buffer, runId: string | undefined): 'approved' | 'pending' {
      if (row.asked_by?.run_id && row.asked_by.run_id !== runId) throw ofRun()
      if (!row.bound_hash.equals(hash)) throw forAnother()
      if (row.status === 'used') throw used()
      if (row.status === 'rejected') throw rejected(row)
      if (row.status === 'expired') throw ended(row)
      if (row.expires_at <= new Date()) throw expired()
      return row.status
    },

    /** Right before it runs: an approval is used once, also by two calls at the same moment. */
    async use({ id }: store.ApprovalRow, auditId: string): Promise<void> {
      if (!(await store.useApproval(db, id, auditId))) throw used()
    },
  }
}

export type Approvals = ReturnType<typeof createApprovals>

export function statusOf(row: Pick<store.ApprovalRow, 'status' | 'expires_at'>): ApprovalStatus {
  const isOpen = row.status === 'pending' || row.status === 'approved'
  return isOpen && row.expires_at <= new Date() ? 'expired' : row.status
}

/** The person, or the maker of the key, who asked for it. */
export const isAsker = ({ user }: Principal, row: Pick<store.ApprovalRow, 'requested_by'>): boolean =>
  row.requested_by !== null && row.requested_by === user?.id

const forAnother = (): Refusal =>
  new Refusal(
    'approval_for_another_call',
    'The approval was given for another text, other parameters, another database or another version of the policy.',
  )
const used = (): Refusal =>
  new Refusal('approval_used', 'This approval was used already, or it expired. Ask for a new one.')
const ofRun = (): Refusal =>
  new Refusal('approval_of_run', 'A run of an agent asked for this approval, and only that run uses it.')
const ended = ({ ended_reason: reason }: store.ApprovalRow): Refusal =>
  new Refusal('approval_expired', `${reason ?? 'This approval has ended.'} Ask for a new one.`)
const expired = (): Refusal =>
  new Refusal('approval_expired', 'This approval expired after 24 hours. Ask for a new one.')
const rejected = ({ decider, note }: store.ApprovalRow): Refusal =>
  new Refusal(
    'approval_rejected',
    `${decider ?? 'An admin'} rejected this statement${note === null ? '.' : `: ${note}`}`,
  )

function ignoreNotFound(error: unknown): undefined {
  if (error instanceof Fault && error.status === 404) return undefined
  throw error
}

/** The approval shows a statement as its caller wrote it; the log keeps no constants of masked columns. */
const safeTextOf = ({ sql, preview }: store.ApprovalRow): string =>
  (preview.masked ?? []).length > 0 ? withoutConstants(sql) : sql

function attemptOf(row: store.ApprovalRow, by: Executor): Attempt {
  return {
    groupId: row.group_id,
    kind: row.kind,
    database: row.database,
    text: row.sql,
    safeText: safeTextOf(row),
    by: { ...by, asked: row.asked_by ?? nobody },
    agentId: row.agent_id,
    policyVersion: row.policy_version,
    reason: row.note === null ? row.reason : `${row.reason} (note: ${row.note})`,
    operations: row.operations,
    rule: row.rule,
    approvalId: row.id,
  }
}

/** Why it was asked for; of one that ended without being used, why it ended. */
export function reasonOf(row: store.ApprovalRow): string {
  if (statusOf(row) !== 'expired') return row.reason
  return row.ended_reason ?? 'Nobody decided or used it within 24 hours.'
}

function announce(events: Events, row: store.ApprovalRow, what: string, by: string | null): void {
  events.emit('activity', {
    ...configActivity,
    groupId: row.group_id,
    by,
    severity: 'warning',
    title: `${what}: ${row.operations.join(', ')} in ${row.database}`,
    message: row.reason,
    metadata: {
      approval_id: row.id,
      agent_id: row.agent_id,
      database: row.database,
      operations: row.operations,
      status: row.status,
    },
  })
}
