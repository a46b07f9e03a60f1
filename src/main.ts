import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAccess, type FirstStart } from '#access'
import { createEmbeddings, createSearch } from '#embeddings'
import { createGateway } from '#gateway'
import type { Config } from '#kernel/config'
import { keyFile, masterKey } from '#kernel/datadir'
import { openDatabase, type Target } from '#kernel/db'
import { createEvents, type EventName, type Events } from '#kernel/events'
import { closeHttp, createHttp, healthRoutes, listen } from '#kernel/http'
import { createJobs } from '#kernel/jobs'
import type { Log } from '#kernel/log'
import { createMetrics } from '#kernel/metrics'
import { createUsage } from '#usage'
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
  // Each needs something of the other: the gateway a meter, the ledger what the gateway knows of prices.
  const usage = createUsage({
    database,
    config,
    events,
    log,
    metrics,
    syncedPrices: (): ReturnType<typeof gateway.syncedPrices> => gateway.syncedPrices(),
    providerOf: (groupId, model): string | null => gateway.providerOf(groupId, model),
  })
  const { meter, listPrice } = usage
  const gateway = createGateway({ database, config, log, meter, listPrice })
  const vault = createVault({ database, config, events, log, masterKey: key, providers: gateway.providers })
  const embeddings = config.ROLES.has('embeddings')
    ? createEmbeddings({ database, config, log, version })
    : undefined
  const search = embeddings && createSearch({ database, embedder: embeddings.embedder, log })
  for (const kind of [gateway.searchKind, usage.searchKind]) search?.register(kind)
  const http = await createHttp({ config, log, metrics, resolvers: access.resolvers, version })
  let stopping = false

  healthRoutes(http, { config, database, metrics, isStopping: () => stopping })
  access.routes(http)
  vault.routes(http)
  usage.routes(http, {
    resolveProvider: gateway.providers.resolveId,
    apiKeyNames: access.keyNames,
    providerKeyNames: vault.keyNames,
  })
  if (config.ROLES.has('gateway')) gateway.routes(http, vault)
  embeddings?.routes(http)
  search?.routes(http)
  access.jobs(jobs)
  usage.jobs(jobs)
  logEvents(events, log)

  return {
    async firstStart() {
      const first = await access.firstStart()
      if (first.isFirst) await vault.takeFromEnvironment(first.groupId, gateway.environmentKeys())
      await embeddings?.choose()
      return first
    },
    async start() {
      await access.start()
      await vault.start()
      await gateway.start()
      await embeddings?.start()
      await search?.start()
      await usage.start()
      const url = await listen(http, config)
      if (config.ROLES.has('platform')) await jobs.start()
      return url
    },
    async stop() {
      stopping = true
      await closeHttp(http, config.SHUTDOWN_TIMEOUT_MS)
      await jobs.stop()
      await search?.stop()
      await embeddings?.stop()
      await gateway.stop()
      await usage.stop()
      await vault.stop()
      await access.stop()
      await database.close()
    },
  }
}

/** Requests are many, and each has its own line already: theirs are for debugging, and cost nothing otherwise. */
function logEvents(events: Events, log: Log): void {
  const ofRequests: EventName[] = ['request.settled', 'api_call']
  const except = log.isLevelEnabled('debug') ? [] : ofRequests
  events.on(
    '*',
    ({ at: _at, ...event }) => log[ofRequests.includes(event.event) ? 'debug' : 'info'](event, 'event'),
    { except },
  )
}
