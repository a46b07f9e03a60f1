import type { RunKeys } from '#access'
import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import type { Events } from '#kernel/events'
import type { Log } from '#kernel/log'
import type { TicketRuns } from '#records/contract'
import type { ApprovalState } from '#sql'
import type { Notify } from '../schedules/notify.ts'
import type { EndedRun } from '../workflow/index.ts'
import type { Workflow } from '../shapes/run.ts'
import type { ReadCalls } from './spending.ts'

export interface RunDeps {
  config: Config
  database: Database
  events: Events
  log: Log
  runKeys: RunKeys
  readCalls: ReadCalls
  approvalStates(ids: readonly string[]): Promise<ApprovalState[]>
  /** The model of agents that name none. */
  defaultModel(groupId: string): Promise<string>
  endApprovals(runId: string, reason: string): Promise<void>
  /** Where this server is reached from the same machine; empty until it listens. */
  address(): string
  /** The name of this process, in leases. */
  processId: string
  /** What the processes of runs get of the environment. */
  inherited: Record<string, string>
  settle: Settle
  tickets: TicketRuns
  notify: Notify
}

/** What the platform adds when a run has ended, from what really ran. */
export type Settle = (run: EndedRun) => Promise<{ workflow: Workflow | null; devlogIds: readonly string[] }>
