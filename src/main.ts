import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAccess, type FirstStart } from '#access'
import { createEventMeter, createGateway } from '#gateway'
import type { Config } from '#kernel/config'
import { keyFile, masterKey } from '#kernel/datadir'
import { openDatabase, type Target } from '#kernel/db'
import { createEvents } from '#kernel/events'
import { closeHttp, createHttp, healthRoutes, listen } from '#kernel/http'
import { createJobs } from '#kernel/jobs'
import type { Log } from '#kernel/log'
import { createMetrics } from '#kernel/metrics'
import { createVault } from '#vault'

export const version = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string }
).version

export interface Signalbox {
  /** Makes the first group, key and owner. One process of a start does this. */
  firstStart(): Promise<FirstStart>
  /** Begins to serve and gives the address. */
  start(): Promise<string>
  /** Stops accepting, lets running requests finish up to the ceiling, flushes, closes. */
  stop(): Promise<void>
}

/** The composition root: the only place that knows every feature and wires them together. */
export async function createSignalbox(config: Config, log: Log, target: Target): Promise<Signalbox> {
  // Read before anything else: with a damaged key nothing that needs it may start.
  const key = masterKey(config)
  const database = openDatabase(target, log)
  const events = createEvents(log)
  const metrics = createMetrics()
  const jobs = createJobs(database, log)
  const sessionSecret = config.SESSION_SECRET ?? keyFile(join(config.DATA_DIR, 'session.key'))
  const access = createAccess({ database, config, events, log, sessionSecret, version })
  const gateway = createGateway({ database, config, log, meter: createEventMeter(events) })
  const vault = createVault({ database, config, events, log, masterKey: key, providers: gateway.providers })
  const http = await createHttp({ config, log, metrics, resolvers: access.resolvers, version })
  let stopping = false

  healthRoutes(http, { config, database, metrics, isStopping: () => stopping })
  access.routes(http)
  vault.routes(http)
  if (config.ROLES.has('gateway')) gateway.routes(http, vault)
  access.jobs(jobs)
  // Settled requests are many, and each has its own request line already.
  events.on('*', ({ at: _at, ...event }) =>
    log[event.event === 'request.settled' ? 'debug' : 'info'](event, 'event'),
  )

  return {
    async firstStart() {
      const first = await access.firstStart()
      if (first.isFirst) await vault.takeFromEnvironment(first.groupId, gateway.environmentKeys())
      return first
    },
    async start() {
      await access.start()
      await vault.start()
      await gateway.start()
      const url = await listen(http, config)
      if (config.ROLES.has('platform')) await jobs.start()
      return url
    },
    async stop() {
      stopping = true
      await closeHttp(http, config.SHUTDOWN_TIMEOUT_MS)
      await jobs.stop()
      await gateway.stop()
      await vault.stop()
      await access.stop()
      await database.close()
    },
  }
}
