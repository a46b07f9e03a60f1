import { sql, type Insertable, type Kysely, type Selectable } from 'kysely'
import type { ApprovalStatus } from '../contract.ts'
import type { SqlTables } from '../tables.ts'

type Db = Kysely<SqlTables>
export type ApprovalRow = Selectable<SqlTables['sql.approvals']>
export type NewApproval = Omit<
  Insertable<SqlTables['sql.approvals']>,
  'status' | 'decided_by' | 'decider' | 'note' | 'decided_at' | 'used_at' | 'audit_id' | 'ended_reason'
>

export async function insertApproval(db: Db, approval: NewApproval): Promise<ApprovalRow> {
  return db
    .insertInto('sql.approvals')
    .values({ ...approval, status: 'pending' })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** What makes two requests the same one. */
export type Waiting = Pick<ApprovalRow, 'group_id' | 'bound_hash' | 'requester' | 'requested_key'>

/** One that waits for the same thing, asked by the same person or key. */
export async function findWaiting(
  db: Db,
  asked: Omit<Waiting, 'requested_key'> & { requested_key?: string | null | undefined },
): Promise<ApprovalRow | undefined> {
  return (
    db
      .selectFrom('sql.approvals')
      .selectAll()
      .where('group_id', '=', asked.group_id)
      .where('bound_hash', '=', asked.bound_hash)
      .where('requester', '=', asked.requester)
      // Every run of an agent has a key of its own, and waits for its own approval.
      .where(sql<boolean>`requested_key is not distinct from ${asked.requested_key ?? null}::uuid`)
      .where('status', '=', 'pending')
      .where('expires_at', '>', sql<Date>`now()`)
      .limit(1)
      .executeTakeFirst()
  )
}

export async function countWaiting(db: Db, groupId: string): Promise<number> {
  const { count } = await db
    .selectFrom('sql.approvals')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('group_id', '=', groupId)
    .where('status', '=', 'pending')
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function findApproval(db: Db, groupIds: string[], id: string): Promise<ApprovalRow | undefined> {
  if (groupIds.length === 0) return undefined
  return db
    .selectFrom('sql.approvals')
    .selectAll()
    .where('id', '=', id)
    .where('group_id', 'in', groupIds)
    .executeTakeFirst()
}

export async function findApprovals(db: Db, ids: readonly string[]): Promise<ApprovalRow[]> {
  if (ids.length === 0) return []
  return db.selectFrom('sql.approvals').selectAll().where('id', 'in', ids).execute()
}

export interface ApprovalFilter {
  groupId: string
  status?: ApprovalStatus | undefined
  /** Only what this key asked for. */
  keyId?: string | undefined
  limit: number
}

export async function listApprovals(db: Db, filter: ApprovalFilter): Promise<ApprovalRow[]> {
  const { status, keyId } = filter
  let query = db.selectFrom('sql.approvals').selectAll().where('group_id', '=', filter.groupId)
  if (keyId !== undefined) query = query.where('requested_key', '=', keyId)
  if (status === 'expired')
    query = query.where((eb) =>
      eb.or([
        eb('status', '=', 'expired'),
        eb('status', 'in', ['pending', 'approved']).and('expires_at', '<=', sql<Date>`now()`),
      ]),
    )
  else if (status !== undefined) query = query.where('status', '=', status)
  if (status === 'pending' || status === 'approved') query = query.where('expires_at', '>', sql<Date>`now()`)
  return query.orderBy('created_at', 'desc').orderBy('id').limit(filter.limit).execute()
}

export interface Decided {
  status: 'approved' | 'rejected'
  by: string | null
  name: string
  note: string | null
}

/** Undefined: it was decided by somebody else, or it expired. */
export async function decideApproval(db: Db, id: string, decided: Decided): Promise<ApprovalRow | undefined> {
  return db
    .updateTable('sql.approvals')
    .set({
      status: decided.status,
      decided_by: decided.by,
      decider: decided.name,
      note: decided.note,
      decided_at: new Date(),
    })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('expires_at', '>', sql<Date>`now()`)
    .returningAll()
    .executeTakeFirst()
}

/** What ends approvals that are open: their run has ended, or the policy of the agent changed. */
export type Ending = { runId: string } | { groupId: string; agentId: string }

export async function endApprovals(db: Db, ending: Ending, reason: string): Promise<void> {
  const query = db
    .updateTable('sql.approvals')
    .set({ status: 'expired', ended_reason: reason })
    .where('status', 'in', ['pending', 'approved'])
  const ended =
    'runId' in ending
      ? query.where(sql<boolean>`asked_by ->> 'run_id' = ${ending.runId}`)
      : query.where('group_id', '=', ending.groupId).where('agent_id', '=', ending.agentId)
  await ended.execute()
}

/** Uses it up. False: it was used, or it expired, meanwhile. */
export async function useApproval(db: Db, id: string, auditId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sql.approvals')
    .set({ status: 'used', used_at: new Date(), audit_id: auditId })
    .where('id', '=', id)
    .where('status', '=', 'approved')
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
