import type { Database } from '#kernel/db'
import type { Events } from '#kernel/events'
import type { Log } from '#kernel/log'
import type { Part } from '#kernel/part'
import { createCosts } from './cost/costs.ts'
import { createFinder } from './find/finder.ts'
import { createLinks } from './links.ts'
import { costRoute } from './routes/costs.ts'
import { linkRoutes } from './routes/links.ts'
import { statementRoute } from './routes/statement.ts'
import { whyRoute } from './routes/why.ts'
import { createCounter } from './statement/counter.ts'
import { createStatement, type StatementDeps } from './statement/statement.ts'
import type { Db } from './tables.ts'
import { createWhy } from './why.ts'

export interface LinksPartDeps {
  database: Database
  events: Events
  log: Log
  /** Requests that have ended are in the usage log. */
  ledgerCaughtUp(): Promise<void>
  timeZone: StatementDeps['timeZone']
  listCosts: StatementDeps['listCosts']
  logKeptFrom: StatementDeps['logKeptFrom']
}

/**
 * What belongs together: links between the things of the other parts, why something happened, and what it cost. Nothing
 * imports this part, and it reads the others by the views of its own schema.
 *
 * @example
 * parts.push(createLinksPart({ ...kernel, ledgerCaughtUp, timeZone, listCosts, logKeptFrom }))
 */
export function createLinksPart({ database, events, log, ledgerCaughtUp, ...prices }: LinksPartDeps): Part {
  const db: Db = database.tables()
  const finder = createFinder({ db, sessions: database.sessions, log })
  const deps = { db, caughtUp: finder.caughtUp, ledgerCaughtUp }
  const counter = createCounter({ db, sessions: database.sessions, log })
  let stopListening = (): void => undefined
  return {
    name: 'links',
    role: 'platform',
    routes(app) {
      linkRoutes(app, createLinks(deps))
      whyRoute(app, createWhy(deps))
      costRoute(app, createCosts(deps))
      statementRoute(app, createStatement({ db, counter, ledgerCaughtUp, ...prices }))
    },
    jobs(jobs) {
      // Fills in what was there before, and catches up with what no event of this process told of.
      jobs.define('links.find', finder.round, { cron: '* * * * *', atStart: true })
      jobs.define('links.statement', counter.round, { cron: '*/10 * * * *', atStart: true })
      jobs.define('links.sweep', finder.sweep, { cron: '23 3 * * *' })
    },
    async start() {
      stopListening = events.on('activity', finder.wake)
    },
    async stop() {
      stopListening()
      await Promise.all([finder.stop(), counter.stop()])
    },
  }
}
