import type { Kysely } from 'kysely'
import type { RunKeys } from '#access'
import type { Principal } from '#kernel/auth'
import { basicEnvironment, type Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import type { Events } from '#kernel/events'
import type { Http } from '#kernel/http'
import type { Jobs } from '#kernel/jobs'
import type { Log } from '#kernel/log'
import type { TicketRuns } from '#records/contract'
import type { ApprovalState } from '#sql'
import { listModels, type AgentRow } from './agent-store.ts'
import { builtInAgents } from './built-in.ts'
import { createRegistry, type RegistryDeps } from './registry.ts'
import { agentRoutes } from './routes.ts'
import { createRunPart } from './run/index.ts'
import { isOpen, readStatus } from './run/run-store.ts'
import { callsByRunKeys, type ReadCalls } from './run/spending.ts'
import type { ScheduleNotice } from './schedules/notify.ts'
import type { AgentTables } from './tables.ts'
import { createWorkflows, type WorkflowDeps } from './workflow/index.ts'

export type { AgentRow } from './agent-store.ts'

export interface AgentDeps extends WorkflowDeps {
  config: Config
  database: Database
  events: Events
  log: Log
  runKeys: RunKeys
  /** What the requests of a session used, from the usage log. */
  sessionUsage: { calls: ReadCalls }
  approvalStates(ids: readonly string[]): Promise<ApprovalState[]>
  /** The model of agents that name none. */
  defaultModel(groupId: string): Promise<string>
  /** The model that makes vectors; undefined where this process does not know it. */
  embeddingModel(): string | undefined
  endApprovals(runId: string, reason: string): Promise<void>
  policyChanged: RegistryDeps['policyChanged']
  firstGroup(): Promise<string>
  /** The tickets that agents work on. */
  tickets: TicketRuns
  /** A person with the groups that they are in now; undefined where there is none any more. */
  person(userId: string): Promise<Principal | undefined>
  /** Tells people of runs that schedules started. */
  notify(notice: ScheduleNotice): Promise<void>
  /** Where this server is reached from the same machine; empty until it listens. */
  address(): string
}

/** The models that agents of any group name. */
export async function listAgentModels(database: Database): Promise<string[]> {
  return listModels(database.tables())
}

/** The registry alone, for commands: they read it. */
export function openRegistry({
  config,
  database,
  events,
}: Pick<AgentDeps, 'config' | 'database' | 'events'>) {
  const db: Kysely<AgentTables> = database.tables()
  const registry = createRegistry({
    ...{ db, events, builtIn: builtInAgents(config) },
    embeddingModel: () => undefined,
    firstGroup: async () => undefined,
    policyChanged: () => Promise.reject(new Error('Commands change no policy.')),
  })
  return { find: registry.find, isRunOpen: isRunOpenIn(db) }
}

const isRunOpenIn =
  (db: Kysely<AgentTables>) =>
  async (groupId: string, id: string): Promise<boolean> => {
    const status = await readStatus(db, groupId, id)
    return status !== undefined && isOpen({ status })
  }

/**
 * The registry of agents, with every version, and their runs.
 *
 * @example
 * const agents = createAgents({ ...kernel, runKeys: access.runKeys, … })
 * const agent = await agents.find(groupId, 'data-engineer') // throws `not_found`
 */
export function createAgents(deps: AgentDeps) {
  const db: Kysely<AgentTables> = deps.database.tables()
  const registry = createRegistry({ ...deps, db, builtIn: builtInAgents(deps.config) })
  const runPart = createRunPart({
    ...deps,
    inherited: basicEnvironment(),
    findAgent: registry.find,
    readCalls: callsByRunKeys(deps.database.tables(), deps.sessionUsage.calls),
    settle: createWorkflows(deps).settle,
  })
  return {
    name: 'agents',
    role: 'platform' as const,
    /** An agent of the group; 404 where the group has none with this ID. */
    find: (groupId: string, id: string): Promise<AgentRow> => registry.find(groupId, id),
    isRunOpen: isRunOpenIn(db),
    runs: runPart.runs,
    routes(app: Http): void {
      agentRoutes(app, registry)
      runPart.routes(app)
    },
    jobs: (jobs: Jobs): void => runPart.jobs(jobs),
    queues: runPart.queues,
    start: () => runPart.start(),
    stop: () => runPart.stop(),
  }
}
