import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { LogStreams } from '#kernel/event-log'
import type { Http } from '#kernel/http'
import type { Jobs } from '#kernel/jobs'
import { scheduleRoutes } from '../schedules/routes.ts'
import { createSchedules } from '../schedules/schedules.ts'
import { createStartDue, type DueDeps } from '../schedules/start-due.ts'
import type { AgentTables } from '../tables.ts'
import { createAssign } from './assign.ts'
import { runRoutes } from './routes.ts'
import { countQueued, deleteOldRuns } from './run-store.ts'
import { createRuns, type RunsDeps } from './runs.ts'
import { createScheduler } from './scheduler.ts'

export type { Runs } from './runs.ts'

export type RunPartDeps = Omit<RunsDeps, 'streams' | 'processId'> & Pick<DueDeps, 'person'>

/** Runs of agents: each in a process of its own, stored so that it can wait for people and survive a restart. */
export function createRunPart(given: RunPartDeps) {
  const { listener } = given.database
  const db: Kysely<AgentTables> = given.database.tables()
  const streams = new LogStreams()
  const deps = { ...given, streams, processId: randomUUID() }
  const runs = createRuns(deps)
  const { events, findAgent } = deps
  const schedules = createSchedules({ db, events, findAgent })
  const scheduler = createScheduler({ ...deps, startDue: createStartDue({ ...deps, db, runs }) })
  return {
    runs,
    queues: { agent_runs: () => countQueued(db) },
    routes(app: Http): void {
      // Without the server a run cannot ask its model. Those who wait for one get what it came to.
      app.addHook('preClose', async () => {
        await scheduler.stop()
        streams.stop()
      })
      scheduleRoutes(app, schedules)
      runRoutes(app, runs, createAssign({ ...deps, runs }), { db, streams })
    },
    jobs(jobs: Jobs): void {
      const days = given.config.AGENT_RUN_RETENTION_DAYS
      jobs.define('agents.run-retention', () => deleteOldRuns(db, days), { cron: '27 4 * * *' })
    },
    async start(): Promise<void> {
      await streams.start(listener, 'agent_run_events')
      const changed = (runId: string): void => {
        streams.wake(runId)
        scheduler.poke()
      }
      await listener.on('agent_runs', changed, () => scheduler.poke())
      scheduler.start()
    },
    stop: () => scheduler.stop(),
  }
}
