import { PgBoss } from 'pg-boss'
import { withLock, type Database } from '#kernel/db'
import { messageOf } from '#kernel/errors'
import type { Events } from '#kernel/events'
import type { Log } from '#kernel/log'
import { runningSince } from '#kernel/replicas'
import { build } from '#kernel/version'

/** Background work on PostgreSQL: each job runs on one replica, and a failed one is retried. */
export interface Jobs {
  /** Defines how a kind of job runs. `cron` (UTC) also schedules it, and `atStart` runs it at every start too. */
  define<T extends object = object>(
    name: string,
    work: (data: T) => Promise<void>,
    options?: { cron?: string; atStart?: boolean },
  ): void
  send<T extends object>(name: string, data: T): Promise<void>
  /** How many jobs are due and not running. */
  waiting(): Promise<number>
  /** How often each kind of job has ended in this process, well or not. */
  ended(): readonly JobCounts[]
  start(): Promise<void>
  stop(): Promise<void>
}

interface JobCounts {
  readonly name: string
  readonly done: number
  readonly failed: number
}

interface Definition {
  name: string
  done: number
  failed: number
  work: (data: never) => Promise<void>
  cron: string | undefined
  atStart: boolean
}

/**
 * Jobs run at times of the clock, by the minute: a worker that looked every two seconds, as is the default, would keep a
 * server busy that has nothing to do. What this process sends wakes its own worker.
 */
const pollingIntervalSeconds = 10

export function createJobs(database: Database, log: Log, events: Events): Jobs {
  const definitions: Definition[] = []
  /** IDs of the workers of this process, by the name of the job. */
  const workers = new Map<string, string>()
  const wake = (name: string): void => boss.notifyWorker(workers.get(name) ?? '')

  /** The queue tries a failed job again later; until then people should know. */
  async function run(definition: Definition, work: () => Promise<void>): Promise<void> {
    const { name } = definition
    try {
      await work()
      definition.done++
    } catch (error) {
      definition.failed++
      events.emit('activity', {
        groupId: null,
        by: null,
        type: 'error',
        severity: 'error',
        service: null,
        source: 'platform',
        title: `Background job ${name} failed`,
        message: messageOf(error),
        metadata: { job: name },
      })
      throw error
    }
  }

  const boss = new PgBoss({
    schema: 'jobs',
    db: { executeSql: async (text, values) => database.pool.query(text, values) },
  })
  boss.on('error', (error) => log.warn({ reason: messageOf(error) }, 'the job queue reported an error'))
  return {
    define(name, work, options = {}) {
      const { cron, atStart = false } = options
      definitions.push({ name, work, cron, atStart, done: 0, failed: 0 })
    },
    async send(name, data) {
      await boss.send(name, data)
      wake(name)
    },
    async waiting() {
      const { rows } = await database.pool.query<{ count: string }>(
        `select count(*) from jobs.job where state < 'active' and not blocked and start_after <= now()`,
      )
      return Number(rows[0]?.count ?? 0)
    },
    ended: () => definitions,
    async start() {
      // Processes that start together would all create the queue's schema, and all but one would fail.
      await withLock(database.sessions, 'jobs', () => boss.start())
      const since = await runningSince(database.pool)
      // A later start finds everything as it is wanted.
      const queues = new Set((await boss.getQueues()).map((queue) => queue.name))
      const schedules = new Map((await boss.getSchedules()).map((schedule) => [schedule.name, schedule.cron]))
      for (const definition of definitions) {
        const { name, work, cron, atStart } = definition
        if (!queues.has(name)) await boss.createQueue(name, { retryLimit: 3, retryBackoff: true })
        if (cron && schedules.get(name) !== cron) await boss.schedule(name, cron)
        // Replicas that start together need it once; one that starts after all others have ended, or with other code,
        // needs it again. The time is a slot of the clock: in one of a minute two of them would often be in different ones.
        if (atStart)
          await boss.send(name, {}, { singletonKey: `start ${since} ${build}`, singletonSeconds: 3_600 })
        const worker = boss.work(name, { pollingIntervalSeconds }, async (batch: { data: unknown }[]) => {
          for (const job of batch) await run(definition, () => work(job.data as never))
          // Another one may wait.
          wake(name)
        })
        workers.set(name, await worker)
      }
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: 10_000 })
    },
  }
}
