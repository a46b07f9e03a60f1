import { createAccess, type FirstStart } from '#access'
import { createAgents } from '#agents'
import { createAnalytics } from '#analytics'
import { createAttention } from '#attention'
import { createConsole } from '#console'
import { createEmbeddings } from '#embeddings'
import { builtInPrices, createCatalog, createGateway } from '#gateway'
import { createInitiativesPart } from '#initiatives'
import type { Config } from '#kernel/config'
import { openDatabase, type Target } from '#kernel/db'
import { createEvents, logEvents } from '#kernel/events'
import { closeHttp, createHttp, healthRoutes, listen } from '#kernel/http'
import { createJobs } from '#kernel/jobs'
import type { Log } from '#kernel/log'
import {
  collectBuildInfo,
  collectDatabaseMetrics,
  collectJobMetrics,
  collectPoolMetrics,
  collectQueueMetrics,
  collectReplicaMetrics,
  createMetrics,
} from '#kernel/metrics'
import { createLifecycle, partsFor, readinessOf } from '#kernel/part'
import { openTracing } from '#kernel/tracing'
import { build, commit, version } from '#kernel/version'
import { createAlerts, createLimits } from '#limits'
import { createLinksPart } from '#links'
import { createMcp } from '#mcp'
import { createNotifications } from '#notifications'
import { createRecords } from '#records'
import { createSearch } from '#search'
import { createSql, openAgentWork } from '#sql'
import { createStandupsPart, openStandups } from '#standups'
import { createTranscripts } from '#transcripts'
import { createUsage } from '#usage'
import { createVault, openServerKeys } from '#vault'
import { createWebhooks } from '#webhooks'

export interface Signalbox {
  /** Creates the first group, key and owner, and lets the parts prepare. One process per start does this. */
  firstStart(): Promise<FirstStart>
  /** Starts to serve and returns the address. If it fails, everything that was started is stopped. */
  start(): Promise<string>
  /** Stops accepting requests, lets running ones finish up to the limit, then stops the parts and the database. */
  stop(): Promise<void>
}

/** The composition root: the only place that knows every part. A new part adds one line to the list. */
export async function createSignalbox(config: Config, log: Log, target: Target): Promise<Signalbox> {
  const database = openDatabase(target, log, config)
  // Before anything else: with a damaged or missing key nothing that needs it may start.
  const opened = openServerKeys(database, config, build, log)
  const { masterKey, sessionSecret, replica } = await opened.catch(async (error: unknown) => {
    await database.close()
    throw error
  })
  const events = createEvents(log)
  const metrics = createMetrics()
  collectBuildInfo(metrics.registry, { version, commit })
  collectDatabaseMetrics(metrics.registry, database.listener)
  collectPoolMetrics(metrics.registry, database.pools)
  collectReplicaMetrics(metrics.registry, replica)
  const jobs = createJobs(database, log, events)
  collectJobMetrics(metrics.registry, jobs)
  const kernel = { config, database, events, jobs, log, metrics, version }
  const tracing = await openTracing(kernel)

  let url = ''
  const catalog = createCatalog(kernel)
  const { providers, providerOf, syncedPrices } = catalog
  const vault = createVault({ ...kernel, masterKey, providers })
  const access = createAccess({
    ...kernel,
    sessionSecret,
    address: () => url,
    resolveOverrides: vault.resolveOverrides,
  })
  const names = {
    resolveProvider: providers.resolveId,
    apiKeyNames: access.keyNames,
    runKeyAgents: access.runKeyAgents,
    keyPeople: access.keyPeople,
    providerKeyNames: vault.keyNames,
  }
  const usage = createUsage({
    ...kernel,
    builtInPrices: builtInPrices(config),
    providerOf,
    syncedPrices,
    names,
  })
  const { meter, listPrice } = usage
  const limits = createLimits({
    ...kernel,
    usage: usage.forLimits,
    access: access.forLimits,
    resolveProvider: providers.resolveId,
    maxOutput: catalog.maxOutput,
  })
  const gateway = createGateway({
    ...{ ...kernel, catalog, vault, meter, listPrice, limits: limits.limits },
    principalFor: access.principalFor,
  })
  const notifications = createNotifications({
    ...kernel,
    secrets: vault.secrets,
    timeZone: access.timeZone,
    address: () => url,
  })
  const records = createRecords(kernel)
  const transcripts = createTranscripts({
    ...kernel,
    sessionUsage: usage.sessions,
    models: gateway.models,
    firstGroup: access.firstGroupId,
  })
  const { lastStandups, costSessions } = openStandups(database)
  const initiatives = createInitiativesPart({
    ...kernel,
    extras: { openTickets: records.openTickets, lastStandups },
    costSources: {
      transcriptKeys: transcripts.sessionKeys,
      standups: costSessions,
      costs: usage.sessions.costs,
      totals: usage.sessions.totals,
    },
  })
  const standups = createStandupsPart({
    ...kernel,
    initiatives,
    models: gateway.models,
    defaultModel: (groupId) => gateway.defaultModel(groupId, 'standups'),
    usage: usage.sessions,
    withKey: access.withKey,
    progress: records.progress,
    members: access.groups.members,
  })
  const embeddings = createEmbeddings({ ...kernel, calls: gateway.embeddings })
  const agents = createAgents({
    ...kernel,
    ...openAgentWork(kernel),
    runKeys: access.runKeys,
    sessionUsage: usage.sessions,
    defaultModel: (groupId) => gateway.defaultModel(groupId, 'agents'),
    embeddingModel: embeddings.runningModel,
    firstGroup: access.firstGroupId,
    addDevlog: records.writer.addDevlog,
    tickets: records.ticketRuns,
    person: access.person,
    notify: (notice) => notifications.send({ ...notice, severity: 'warning', alertId: null, channels: [] }),
    address: () => url,
  })
  const sql = createSql({
    ...kernel,
    agents,
    secrets: vault.secrets,
    firstGroup: access.firstGroupId,
    countAdmins: access.countAdmins,
  })
  const search = createSearch({ ...kernel, embedder: embeddings.embedder })
  const alerts = createAlerts({
    ...kernel,
    notifications,
    channelIds: notifications.channelIds,
    limitUse: limits.use,
    nearEnd: limits.nearEnd,
    hasPrice: (groupId, provider, model) => listPrice(groupId, provider, model) !== null,
    firstGroup: access.firstGroupId,
  })

  const attention = createAttention({ events, countUnread: notifications.countUnread })

  /** In the order in which they start; a part comes after those it needs. */
  const parts = partsFor(config.ROLES, [
    replica,
    // Stops after those whose requests it traces.
    { name: 'traces', stop: async () => tracing?.stop() },
    access,
    // Stops after those that report to it.
    createConsole({ ...kernel, firstGroup: access.firstGroupId }),
    catalog,
    vault,
    notifications,
    // Stops after the usage log, whose last requests it still settles.
    limits,
    usage,
    gateway,
    gateway.modelLists,
    embeddings,
    records,
    initiatives,
    standups,
    transcripts,
    transcripts.watcher,
    createAnalytics(kernel),
    agents,
    sql,
    createWebhooks({ ...kernel, records: records.writer, secrets: vault.secrets }),
    createLinksPart({
      ...kernel,
      ledgerCaughtUp: usage.caughtUp,
      timeZone: access.timeZone,
      listCosts: usage.listCosts,
      logKeptFrom: usage.logKeptFrom,
    }),
    alerts,
    attention,
    search,
    createMcp(kernel),
  ])

  const http = await createHttp({ ...kernel, tracing, resolvers: access.resolvers })
  let isStopping = false
  healthRoutes(http, {
    ...kernel,
    isStopping: () => isStopping,
    readiness: (state) => readinessOf(parts, state),
    problems: () => parts.flatMap((part) => part.problem?.() ?? []),
    isInFirstGroup: access.isInFirstGroup,
  })
  for (const part of parts) {
    part.routes?.(http)
    part.jobs?.(jobs)
    for (const kind of part.searchKinds ?? []) search.register(kind)
    for (const source of part.attention ?? []) attention.register(source)
  }
  const queues = parts.flatMap((part) => Object.entries(part.queues ?? {}))
  collectQueueMetrics(metrics.registry, { jobs: () => jobs.waiting(), ...Object.fromEntries(queues) })
  logEvents(events, log)

  const server = {
    name: 'http',
    start: async () => (url = await listen(http, config)),
    stop: () =>
      closeHttp(http, {
        drainMs: config.DRAIN_DELAY_MS,
        timeoutMs: config.SHUTDOWN_TIMEOUT_MS,
        interrupt: () => {
          for (const part of parts) part.interrupt?.()
        },
      }),
  }
  const lifecycle = createLifecycle(
    [...parts, ...(config.ROLES.has('platform') ? [{ name: 'jobs', ...jobs }] : []), server],
    log,
  )

  return {
    async firstStart() {
      const first = await access.firstStart()
      if (first.isFirst) await vault.takeFromEnvironment(first.groupId, catalog.environmentKeys())
      for (const part of parts) await part.prepare?.()
      return first
    },
    async start() {
      await lifecycle.start()
      return url
    },
    async stop() {
      isStopping = true
      try {
        await lifecycle.stop()
      } finally {
        // Also where nothing was started, or a part could not be stopped: open connections keep a process alive.
        await replica.stop()
        await database.close()
      }
    },
  }
}
