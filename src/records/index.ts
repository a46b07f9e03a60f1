import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import type { Events } from '#kernel/events'
import type { Log } from '#kernel/log'
import type { Part } from '#kernel/part'
import { createAnnouncer } from './announcer.ts'
import { setCommitTimes } from './deployments/commit-times.ts'
import { createDeployments } from './deployments/index.ts'
import { createDevlogs, createLearnings, createSkills } from './notes/index.ts'
import { progressSince, type Progress, type ProgressQuestion } from './progress.ts'
import { kindRoutes } from './routes.ts'
import { createSearchKinds } from './search-kinds.ts'
import { createChecker } from './services/checker.ts'
import { deleteOldChecks } from './services/check-store.ts'
import { createIncidents } from './services/incidents.ts'
import { createMaintenance } from './services/maintenance.ts'
import { incidentRoutes } from './services/incident-routes.ts'
import { serviceRoutes } from './services/routes.ts'
import { createServices } from './services/services.ts'
import { createStatusPages } from './status-page/index.ts'
import { statusPageRoutes } from './status-page/routes.ts'
import { createTickets } from './tickets/index.ts'
import { openTicketsOf } from './tickets/open-tickets.ts'
import { staleTickets } from './tickets/stale-tickets.ts'
import { createTicketRuns } from './tickets/ticket-runs.ts'
import type { RecordWriter, TicketRuns } from './writer.ts'

export type { Progress, ProgressQuestion } from './progress.ts'

export interface RecordsDeps {
  database: Database
  config: Config
  events: Events
  log: Log
  version: string
}

export interface Records extends Part {
  /** For other parts. */
  writer: RecordWriter
  /** The tickets that agents work on. */
  ticketRuns: TicketRuns
  /** How many unfinished tickets each of the initiatives has. */
  openTickets(groupId: string, initiativeIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** What happened in the group, and to the tickets of the initiative, since a time. */
  progress(question: ProgressQuestion): Promise<Progress>
}

/**
 * Services and their health, deployments, tickets, devlogs, skills and learnings.
 *
 * @example
 * const records = createRecords(kernel)
 * const { id, outcome } = await records.writer.upsertTicket(groupId, report)
 */
export function createRecords({ database, config, events, log, version }: RecordsDeps): Records {
  const deps = { db: database.tables<unknown>(), events }
  const checker = createChecker({ ...deps, log, config, version })
  const statusPages = createStatusPages(deps)
  const changed = (): void => {
    statusPages.forget()
    checker.wake()
  }
  const deployments = createDeployments(deps)
  const tickets = createTickets(deps)
  const incidents = createIncidents(deps)
  const services = createServices({ ...deps, config, changed })
  const maintenance = createMaintenance({ ...deps, changed })
  const devlogs = createDevlogs(deps)
  const skills = createSkills(deps)
  const learnings = createLearnings(deps)
  const announcer = createAnnouncer({
    db: deps.db,
    listener: database.listener,
    kinds: { deployments, tickets, devlogs },
  })

  return {
    name: 'records',
    role: 'platform',
    searchKinds: createSearchKinds(deps.db),
    attention: [staleTickets(deps.db)],
    writer: {
      upsertDeployment: deployments.report,
      upsertTicket: tickets.report,
      upsertIncident: incidents.report,
      addDevlog: devlogs.add,
      setCommitTimes: (groupId, commits) => setCommitTimes(deps.db, groupId, commits),
    },
    ticketRuns: createTicketRuns(tickets),
    openTickets: (groupId, ids) => openTicketsOf(deps.db, groupId, ids),
    progress: (question) => progressSince(deps.db, question),
    routes(app) {
      const routeDeps = { db: deps.db, services, maintenance, incidents, log }
      serviceRoutes(app, routeDeps)
      incidentRoutes(app, routeDeps)
      statusPageRoutes(app, statusPages)
      kindRoutes(app, { deployments, tickets, devlogs, skills, learnings, log })
    },
    jobs(jobs) {
      jobs.define('records.retention', () => deleteOldChecks(deps.db), { cron: '17 * * * *', atStart: true })
    },
    async start() {
      checker.start()
      await announcer.start()
    },
    async stop() {
      await checker.stop()
      await announcer.stop()
    },
  }
}
