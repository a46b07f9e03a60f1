import type { Kysely } from 'kysely'
import { Counter } from 'prom-client'
import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import type { Events } from '#kernel/events'
import type { Log } from '#kernel/log'
import type { Metrics } from '#kernel/metrics'
import type { Part } from '#kernel/part'
import type { SecretStore } from '#vault'
import { endApprovals } from './approvals/approval-store.ts'
import { createApprovals, type ApprovalState, type PolicySource } from './approvals/approvals.ts'
import { createAudit } from './audit/audit.ts'
import { listWork } from './audit/audit-store.ts'
import { attemptOfChange, type PolicyChange } from './audit/policy-change.ts'
import { toWork } from './audit/record.ts'
import type { WorkOf } from './contract.ts'
import { createDatabases } from './database/databases.ts'
import { offerDatabases } from './database/offer.ts'
import { createClassifier } from './classify/create-classifier.ts'
import { approvalRoutes } from './routes/approval-routes.ts'
import { auditRoutes } from './routes/audit-routes.ts'
import { databaseRoutes } from './routes/database-routes.ts'
import { runRoutes } from './routes/run-routes.ts'
import { createRunner } from './run/create-runner.ts'
import { undoRoutes } from './routes/undo-routes.ts'
import type { StoryDeps } from './story/deps.ts'
import { createKeptRows } from './undo/kept-rows.ts'
import type { SqlTables } from './tables.ts'

export interface SqlDeps {
  config: Config
  database: Database
  events: Events
  log: Log
  metrics: Metrics
  agents: PolicySource
  secrets: SecretStore
  firstGroup(): Promise<string>
  /** How many people of the group could approve. */
  countAdmins(groupId: string): Promise<number>
}

export type { ApprovalState } from './approvals/approvals.ts'
export type { PolicyChange } from './audit/policy-change.ts'

export interface Sql extends Part {
  /** What some keys did, for workflows. */
  workOf: WorkOf
  /** What became of statements that wait for a person, in any group. */
  approvalStates(ids: readonly string[]): Promise<ApprovalState[]>
  /** Ends the approvals of a run that has ended. */
  endApprovals(runId: string, reason: string): Promise<void>
  /** Writes a change of policy to the audit log and ends what is open under the old one, in the given transaction. */
  policyChanged<Tables>(transaction: Kysely<Tables>, change: PolicyChange): Promise<void>
}

/**
 * The door through which agents touch databases: classify, judge, record, run or ask.
 *
 * @example
 * const sql = createSql({ ...kernel, agents, secrets: vault.secrets, firstGroup, countAdmins })
 * const [state] = await sql.approvalStates([approvalId]) // state.status === 'approved'
 */
export function createSql(deps: SqlDeps): Sql {
  const { database, events, log, agents } = deps
  const db: Kysely<SqlTables> = database.tables()
  const audit = createAudit({ db, sessions: database.sessions, events, log })
  const classifier = createClassifier({ log })
  const { places, ready } = offerDatabases(deps)
  const runner = createRunner({ config: deps.config, log, places, ready })
  const databases = createDatabases({ ...deps, audit, db: database.tables(), places, ready })
  const keptRows = createKeptRows(database.tables(), deps.secrets)
  const approvals = createApprovals({ db, events, audit, agents, countAdmins: deps.countAdmins })
  const story: StoryDeps = {
    agents,
    audit,
    classifier,
    runner,
    keptRows,
    approvals,
    count: countIn(deps.metrics),
  }
  return {
    name: 'sql',
    role: 'platform',
    workOf: async (groupId, keyIds) => (await listWork(db, groupId, keyIds, maxWork)).map(toWork),
    approvalStates: approvals.states,
    endApprovals: (runId, reason) => approvals.end({ runId }, reason),
    async policyChanged(transaction, change) {
      const within = transaction as unknown as Kysely<SqlTables>
      await audit.record(attemptOfChange(change), { status: 'policy_changed' }, within)
      await endApprovals(within, change, 'The policy of the agent changed.')
    },
    routes(app) {
      runRoutes(app, story)
      approvalRoutes(app, story)
      auditRoutes(app, db)
      undoRoutes(app, story)
      databaseRoutes(app, { databases, availability: runner.availability })
    },
    jobs(jobs) {
      jobs.define('sql.undo-retention', () => keptRows.eraseExpired(), { cron: '41 * * * *', atStart: true })
    },
    start: () => audit.settleDead(),
    async stop() {
      await runner.close()
      await classifier.close()
    },
  }
}

/** More than the steps of the longest run. */
const maxWork = 2_000

function countIn({ registry }: Metrics): StoryDeps['count'] {
  const attempts = new Counter({
    name: 'signalbox_sql_attempts_total',
    help: 'Attempts to run SQL by kind and outcome',
    labelNames: ['kind', 'status'],
    registers: [registry],
  })
  return (kind, status) => attempts.inc({ kind, status })
}
