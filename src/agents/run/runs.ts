import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { requireRole, scopesIn, type Membership, type Principal, type Scope } from '#kernel/auth'
import { Fault, faults, invalidField, notFound, tooMany } from '#kernel/errors'
import type { LogStreams } from '#kernel/event-log'
import { mask } from '#kernel/mask'
import type { AgentRow } from '../agent-store.ts'
import type { AgentTables } from '../tables.ts'
import type { RunDeps } from './deps.ts'
import { appendEvents } from './event-store.ts'
import { finishIdle } from './finish.ts'
import type { Decision } from './protocol.ts'
import { resume } from './resume.ts'
import * as store from './run-store.ts'
import type { AnswerBody, AskBody, RunLimits } from '../shapes/run.ts'
import type { Config } from '#kernel/config'

export interface RunsDeps extends RunDeps {
  streams: LogStreams
  /** 404 where the group has no such agent. */
  findAgent(groupId: string, id: string): Promise<AgentRow>
}

/** The rights of the caller that a run needs; it gets none that the caller lacks. */
const usefulScopes: readonly Scope[] = ['sql', 'read', 'agents']
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

  return {
    find,
    untilSettled,

    async ask(
      principal: Principal,
      group: Membership,
      agentId: string,
      body: AskBody,
    ): Promise<store.RunRow> {
      const agent = await deps.findAgent(group.id, agentId)
      checkReady(config.ROLES, agent)
      const outer = await outerRun(principal, group)
      if ((await store.countUnfinished(db, group.id)) >= maxUnfinished)
        throw tooMany('runs', 10, maxUnfinished)
      const own = scopesIn(principal, group)
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
          scopes: ['gateway', ...usefulScopes.filter((scope) => own.has(scope))],
          // The key of the outer run ends before this run may.
          started_key: outer ? outer.started_key : (principal.key?.id ?? null),
          depth: outer ? outer.depth + 1 : 0,
          parent_id: outer?.id ?? null,
        })
        await appendEvents(transaction, row.id, [{ type: 'status', status: 'queued', waiting_for: null }])
        return row
      })
    },

    async list(filter: store.RunFilter): Promise<store.RunRow[]> {
      return store.listRuns(db, filter)
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

type LimitConfig = Pick<
  Config,
  'AGENT_MAX_STEPS' | 'AGENT_MAX_SECONDS' | 'AGENT_MAX_TOKENS' | 'AGENT_MAX_COST'
>

const limitsOfServer = (config: LimitConfig): RunLimits => ({
  max_steps: config.AGENT_MAX_STEPS,
  max_seconds: config.AGENT_MAX_SECONDS,
  max_tokens: config.AGENT_MAX_TOKENS,
  max_cost: config.AGENT_MAX_COST,
})

/** A caller may lower the limits of the server, or of the run that asks, but not raise them. */
function lowered(
  most: RunLimits,
  given: { [K in keyof RunLimits]?: RunLimits[K] | undefined } = {},
): RunLimits {
  return {
    max_steps: Math.min(most.max_steps, given.max_steps ?? Infinity),
    max_seconds: Math.min(most.max_seconds, given.max_seconds ?? Infinity),
    max_tokens: Math.min(most.max_tokens, given.max_tokens ?? Infinity),
    max_cost: Math.min(most.max_cost, given.max_cost ?? Infinity),
  }
}
