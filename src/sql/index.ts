import type { Kysely } from 'kysely'
import { Counter } from 'prom-client'
import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import type { Events } from '#kernel/events'
import type { Log } from '#kernel/log'
import type { Metrics } from '#kernel/metrics'
import type { Part } from '#kernel/part'
import type { SecretStore } from '#vault'
import { createApprovals, type PolicySource } from './approvals/approvals.ts'
import { createAudit } from './audit/audit.ts'
import { createDatabases } from './database/databases.ts'
import { offerDatabases } from './database/offer.ts'
import { createCopies } from './copy/copies.ts'
import { createTryOnCopy } from './copy/try-on-copy.ts'
import { createClassifier } from './classify/create-classifier.ts'
import { createHistory } from './migrate/history.ts'
import { approvalRoutes } from './routes/approval-routes.ts'
import { auditRoutes } from './routes/audit-routes.ts'
import { grantRoutes } from './routes/grant-routes.ts'
import { databaseRoutes } from './routes/database-routes.ts'
import { migrationRoutes } from './routes/migration-routes.ts'
import { runRoutes } from './routes/run-routes.ts'
import { schemaRoutes } from './routes/schema-routes.ts'
import { createGrants } from './rules/grants.ts'
import { findRules } from './rules/rule-store.ts'
import type { RuleTables } from './rules/tables.ts'
import { createRunner } from './run/create-runner.ts'
import { undoRoutes } from './routes/undo-routes.ts'
import { createSchemas } from './schema/create-schemas.ts'
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

export { openAgentWork, type ApprovalState, type PolicyChange } from './agent-work.ts'
export type { ApprovalRow } from './approvals/approval-store.ts'
export { reasonOf } from './approvals/approvals.ts'
export { executorOf } from './audit/audit.ts'
export { setupDatabase } from './database/setup-command.ts'

/** Approvals alone, for commands. */
export function openApprovals(deps: Pick<SqlDeps, 'database' | 'events' | 'log' | 'agents' | 'countAdmins'>) {
  const db: Kysely<SqlTables> = deps.database.tables()
  const audit = createAudit({ ...deps, db, sessions: deps.database.sessions })
  return createApprovals({ ...deps, db, audit })
}

/**
 * The door through which agents touch databases: classify, judge, record, run or ask.
 *
 * @example
 * const agents = createAgents({ ...kernel, ...openAgentWork(kernel), … })
 * const sql = createSql({ ...kernel, agents, secrets: vault.secrets, firstGroup, countAdmins })
 */
export function createSql(deps: SqlDeps): Part {
  const { database, events, log, agents } = deps
  const db: Kysely<SqlTables> = database.tables()
  const audit = createAudit({ db, sessions: database.sessions, events, log })
  const classifier = createClassifier({ log })
  const { places, ready } = offerDatabases(deps)
  const runner = createRunner({ config: deps.config, log, places, ready })
  const ruleTables: Kysely<RuleTables> = database.tables()
  const databases = createDatabases({ ...deps, audit, db: database.tables(), places, ready, ruleTables })
  const grants = createGrants({ db: ruleTables, audit, events, agents, places })
  const keptRows = createKeptRows(database.tables(), deps.secrets)
  const approvals = createApprovals({ db, events, audit, agents, countAdmins: deps.countAdmins })
  const copies = createCopies({ database, log })
  const history = createHistory({ db: database.tables(), runner, log })
  const schemas = createSchemas(runner)
  const story: StoryDeps = {
    agents,
    audit,
    classifier,
    runner,
    keptRows,
    approvals,
    history,
    findRules: ({ groupId, database: name }, agentId) => findRules(ruleTables, groupId, name, agentId),
    tryOnCopy: createTryOnCopy(copies, runner),
    count: countIn(deps.metrics),
  }
  return {
    name: 'sql',
    role: 'platform',
    routes(app) {
      runRoutes(app, story)
      approvalRoutes(app, story)
      auditRoutes(app, db)
      undoRoutes(app, story)
      migrationRoutes(app, story)
      grantRoutes(app, grants)
      databaseRoutes(app, { databases, availability: runner.availability })
      schemaRoutes(app, { ...story, schemas })
    },
    jobs(jobs) {
      jobs.define('sql.undo-retention', () => keptRows.eraseExpired(), { cron: '41 * * * *', atStart: true })
      jobs.define('sql.drop-copies', () => copies.sweep(), { cron: '*/10 * * * *', atStart: true })
      jobs.define('sql.settle-migrations', () => history.settle(), { cron: '*/10 * * * *', atStart: true })
    },
    start: () => audit.settleDead(),
    async stop() {
      await runner.close()
      await classifier.close()
    },
  }
}

function countIn({ registry }: Metrics): StoryDeps['count'] {
  const attempts = new Counter({
    name: 'signalbox_sql_attempts_total',
    help: 'Attempts to run SQL by kind and outcome',
    labelNames: ['kind', 'status'],
    registers: [registry],
  })
  return (kind, status) => attempts.inc({ kind, status })
}
