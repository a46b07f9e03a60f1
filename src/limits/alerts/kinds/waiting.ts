import { sql } from 'kysely'
import type { ConfigOf } from '../config.ts'
import type { Db, Finding, Kind } from '../kind.ts'
import { short } from '../words.ts'

const before = (now: Date, minutes: number): Date => new Date(now.getTime() - minutes * 60_000)

/** A statement that waits for the approval of a person. */
export const approvalWaiting: Kind<ConfigOf<'approval_waiting'>> = {
  severity: 'warning',
  isOnce: true,
  ends: 'with a message',
  async find({ db, groupId, now }, { minutes }): Promise<Finding[]> {
    const rows = await waitingApprovals(db, groupId, now, before(now, minutes))
    return rows.map((row) => ({
      thing: `approval:${row.id}`,
      title: `Approval needed: ${row.operations.join(', ')} in ${row.database}, asked by ${row.agent}`,
      text: `${row.reason === '' ? '' : `Reason: ${short(row.reason, 300)}. `}Approve or reject it before ${row.expires_at.toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
      path: `/sql/approvals/${row.id}`,
      data: {
        approval_id: row.id,
        agent_id: row.agent_id,
        database: row.database,
        operations: row.operations,
      },
    }))
  },
  over: ({ data }) => `The statement in ${String(data['database'])} no longer waits for approval`,
}

interface WaitingApproval {
  id: string
  database: string
  operations: string[]
  agent_id: string
  /** Its name. */
  agent: string
  reason: string
  created_at: Date
  expires_at: Date
}

/** A group has at most 100 that wait. */
export async function waitingApprovals(
  db: Db,
  groupId: string,
  now: Date,
  askedBefore: Date,
): Promise<WaitingApproval[]> {
  const { rows } = await sql<WaitingApproval>`
    select id, database, operations, agent_id, agent, reason, created_at, expires_at from alerts.approvals
    where group_id = ${groupId} and status = 'pending' and expires_at > ${now} and created_at <= ${askedBefore}
    order by created_at limit 200`.execute(db)
  return rows
}

/** A run of an agent that waits for a person: for an answer, for permission to use a tool, or for an approval. */
export const runWaiting: Kind<ConfigOf<'run_waiting'>> = {
  severity: 'warning',
  isOnce: true,
  ends: 'with a message',
  async find({ db, groupId, now }, { minutes }): Promise<Finding[]> {
    const rows = await waitingRuns(db, groupId, before(now, minutes))
    return rows.map(({ id, agent_id: agentId, agent, waiting_for: wait }) => ({
      thing: `run:${id}:${wait?.wait_id ?? ''}`,
      title: `${agent} waits for a person: ${waitText(wait)}`,
      text: 'The run continues once somebody has decided.',
      path: wait?.approval_id === undefined ? `/agents/runs/${id}` : `/sql/approvals/${wait.approval_id}`,
      data: { run_id: id, agent_id: agentId, agent, kind: wait?.kind ?? null },
    }))
  },
  over: ({ data }) => `${String(data['agent'] ?? data['agent_id'])} no longer waits`,
}

interface Wait {
  kind: string
  wait_id: string
  question?: string
  tool?: string
  approval_id?: string
}

export function waitText(wait: Wait | null): string {
  if (wait?.kind === 'question') return `"${short(wait.question ?? '', 120)}"`
  if (wait?.kind === 'tool') return `it wants to use ${wait.tool ?? 'a tool'}`
  return 'a statement needs approval'
}

interface WaitingRun {
  id: string
  agent_id: string
  agent: string
  waiting_for: Wait | null
  updated_at: Date
}

/** Where an alert of the group reports approvals, a run that waits for one is not reported a second time. */
export async function waitingRuns(db: Db, groupId: string, waitsSince: Date): Promise<WaitingRun[]> {
  const { rows } = await sql<WaitingRun>`
    select id, agent_id, agent, waiting_for, updated_at from alerts.runs
    where group_id = ${groupId} and status = 'waiting' and updated_at <= ${waitsSince}
      and (waiting_for ->> 'kind' <> 'approval' or not exists (
        select from alerts.rules where group_id = ${groupId} and kind = 'approval_waiting' and is_active
      ))
    order by created_at limit 200`.execute(db)
  return rows
}
