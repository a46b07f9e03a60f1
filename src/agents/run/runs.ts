import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { requireRole, scopesIn, type Membership, type Principal } from '#kernel/auth'
import { Fault, faults, invalidField, notFound, tooMany } from '#kernel/errors'
import type { LogStreams } from '#kernel/event-log'
import { mask } from '#kernel/mask'
import type { AgentRow } from '../agent-store.ts'
import type { AgentTables } from '../tables.ts'
import { limitsOfServer, lowered, scopesOfRun } from './asked.ts'
import { checkEnded, continueRun } from './continue.ts'
import type { RunDeps } from './deps.ts'
import { appendEvents } from './event-store.ts'
import { finishIdle } from './finish.ts'
import type { Decision } from './protocol.ts'
import { resume } from './resume.ts'
import { listRuns, type RunFilter } from './list-store.ts'
import * as store from './run-store.ts'
import type { ShownRun } from './to-run.ts'
import type { AnswerBody, AskBody, ContinueBody } from '../shapes/ask.ts'
import type { RunTicket } from '../shapes/run.ts'

export interface RunsDeps extends RunDeps {
  streams: LogStreams
  /** 404 where the group has no such agent. */
  findAgent(groupId: string, id: string): Promise<AgentRow>
}

/** What else comes with a run. */
export interface AskedFor {
  ticket?: RunTicket
  /** The schedule that asks. */
  scheduleId?: string
  /** In the transaction that makes the run: what it throws is the end of it. */
  within?(transaction: Kysely<AgentTables>, row: store.RunRow): Promise<void>
}

const maxUnfinished = 100
const maxDepth = 3
const cancelMs = 10_000
const lookMs = 5_000

/** Runs of agents: asked for, followed, answered and cancelled. */
export function createRuns(deps: RunsDeps) {
  const { streams, config } = deps
  const db: Kysely<AgentTables> = deps.database.tables()

  async function find(groupId: string, id: string): Promise<store.RunRow> {
    const row = await store.findRun(db, groupId, id)
    if (!row) throw notFound('The run')
    return row
  }

  /** Until it ended, waits for a person, or nobody listens any more. */
  async function untilSettled(row: store.RunRow, signal?: AbortSignal): Promise<store.RunRow> {
    for (let latest = row; ;) {
      const news = streams.news(row.id, lookMs, signal)
      latest = (await store.findRun(db, row.group_id, row.id)) ?? latest
      if (!store.isActive(latest) || signal?.aborted) return latest
      await news
    }
  }

  /** The run that asks, where one does. */
  async function outerRun({ key }: Principal, group: Membership): Promise<store.RunRow | undefined> {
    if (!key?.run) return undefined
    const outer = await find(group.id, key.run.id)
    if (outer.depth + 1 >= maxDepth)
      throw new Fault(faults.conflict, `Agents may ask each other at most ${maxDepth} deep.`)
    return outer
  }

  async function checkRoom(groupId: string): Promise<void> {
    if ((await store.countUnfinished(db, groupId)) >= maxUnfinished) throw tooMany('runs', 10, maxUnfinished)
  }

  return {
    find,
    untilSettled,

    async ask(
      principal: Principal,
      group: Membership,
      agentId: string,
      body: Pick<AskBody, 'request' | 'limits'>,
      { ticket, scheduleId, within }: AskedFor = {},
    ): Promise<store.RunRow> {
      const agent = await deps.findAgent(group.id, agentId)
      checkReady(config.ROLES, agent)
      const outer = await outerRun(principal, group)
      await checkRoom(group.id)
      return db.transaction().execute(async (transaction) => {
        if (outer && !(await store.holdOpenRun(transaction, outer.id)))
          throw new Fault(faults.conflict, 'The run that asks has ended.')
        const row = await store.insertRun(transaction, {
          id: randomUUID(),
          group_id: group.id,
          agent_id: agent.id,
          agent_version: agent.version,
          request: mask(body.request),
          limits: JSON.stringify(lowered(outer?.limits ?? limitsOfServer(config), body.limits)),
          started_by: principal.user?.id ?? null,
          started_by_name: nameOf(principal),
          asked_user: principal.user && JSON.stringify(principal.user),
          scopes: scopesOfRun(scopesIn(principal, group)),
          // The key of the outer run ends before this run may.
          started_key: outer ? outer.started_key : (principal.key?.id ?? null),
          depth: outer ? outer.depth + 1 : 0,
          parent_id: outer?.id ?? null,
          ticket: ticket ? JSON.stringify(ticket) : null,
          schedule_id: scheduleId ?? null,
        })
        await appendEvents(transaction, row.id, [{ type: 'status', status: 'queued', waiting_for: null }])
        await within?.(transaction, row)
        return row
      })
    },

    /** By anyone who may ask its agent. */
    async continue(
      principal: Principal,
      group: Membership,
      id: string,
      body: ContinueBody,
    ): Promise<{ row: store.RunRow; after: number }> {
      const before = await find(group.id, id)
      checkEnded(before)
      const agent = await deps.findAgent(group.id, before.agent_id).catch((error: unknown) => {
        throw error instanceof Fault && error.code === faults.notFound.code ? agentGone(before) : error
      })
      checkReady(config.ROLES, agent)
      await checkRoom(group.id)
      const given = { principal, group, agent, body, name: nameOf(principal) }
      return { row: await continueRun(deps, before, given), after: before.last_seq }
    },

    async list(filter: RunFilter): Promise<ShownRun[]> {
      return listRuns(db, filter)
    },

    /** Returns when it has ended, which takes a moment where it runs. */
    async cancel(group: Membership, id: string): Promise<store.RunRow> {
      const row = await find(group.id, id)
      if (row.status === 'queued' || row.status === 'waiting') {
        const ended = await finishIdle(deps, row, { status: 'cancelled' })
        if (ended) return ended
      }
      if (!store.isOpen(await find(group.id, id))) return find(group.id, id)
      await store.requestCancel(db, id)
      return untilSettled(row, AbortSignal.timeout(cancelMs))
    },

    /** By a person, never by a key: a run must not answer itself. */
    async answer(
      principal: Principal,
      group: Membership,
      id: string,
      body: AnswerBody,
    ): Promise<store.RunRow> {
      if (principal.via === 'api_key')
        throw new Fault(faults.forbidden, 'Only a person who is signed in answers a run.')
      requireRole(group, 'owner', 'admin', 'member')
      const row = await find(group.id, id)
      const after = await resume(deps, row, decisionOf(row, body, nameOf(principal)))
      if (!after) throw new Fault(faults.conflict, 'The run no longer waits for this.')
      return after
    },
  }
}

export type Runs = ReturnType<typeof createRuns>

const nameOf = ({ user, key }: Principal): string => (key ? `key ${key.name}` : (user?.name ?? 'Signalbox'))

const agentGone = ({ agent_id }: store.RunRow): Fault =>
  new Fault(faults.conflict, `The agent "${agent_id}" has been deleted. Ask another one.`)

function checkReady(roles: ReadonlySet<string>, { config }: AgentRow): void {
  if (!roles.has('gateway'))
    throw new Fault(
      faults.unavailable,
      'This process does not run the gateway, which agents need. Add gateway to ROLES.',
    )
  if (config.permission_mode === 'bypassPermissions' && config.policy?.environment === 'prod')
    throw new Fault(
      faults.conflict,
      'The agent has the permission mode "bypassPermissions" and a policy for prod, which is refused.',
    )
}

function decisionOf({ status, waiting_for: wait }: store.RunRow, body: AnswerBody, by: string): Decision {
  if (status !== 'waiting' || !wait) throw new Fault(faults.conflict, 'The run does not wait for an answer.')
  if (body.wait_id !== undefined && body.wait_id !== wait.wait_id)
    throw new Fault(faults.conflict, 'The run is now waiting for something else. Reload it.')
  if (wait.kind === 'approval')
    throw new Fault(
      faults.conflict,
      `The run waits for an approval of the SQL proxy. Decide it with POST /api/v1/sql/approvals/${wait.approval_id}/approve or /reject.`,
    )
  if (wait.kind === 'question') {
    if (body.text === undefined) throw invalidField('text', 'must be given: the run asked a question')
    return { outcome: 'answered', text: body.text }
  }
  if (body.decision === undefined)
    throw invalidField('decision', 'must be approve or deny: the run waits for a tool')
  if (body.decision === 'approve') return { outcome: 'allowed' }
  return { outcome: 'denied', reason: `${by} denied it${body.text === undefined ? '.' : `: ${body.text}`}` }
}
