import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import type { Events } from '#kernel/events'
import type { Log } from '#kernel/log'
import type { Metrics } from '#kernel/metrics'
import type { Part } from '#kernel/part'
import type { Vault } from '#vault'
import { messagesErrors } from './apis/index.ts'
import { storedResponseRoutes } from './apis/responses/stored-routes.ts'
import { transcriptionRoutes } from './apis/transcription/index.ts'
import type { Catalog } from './catalog/create-catalog.ts'
import { createCustomProviders } from './catalog/custom-providers.ts'
import { createDefaultModels } from './catalog/default-models.ts'
import { createModelList, type ListPrice } from './catalog/models.ts'
import type { GatewayTables } from './catalog/provider-store.ts'
import { StoredResponses } from './catalog/stored-responses.ts'
import { createSyncModels } from './catalog/sync-models.ts'
import { createTestKey } from './catalog/test-key.ts'
import { createComplete } from './request/complete.ts'
import { createEmbeddingCalls, type EmbeddingCalls } from './request/embedding-calls.ts'
import { createRefusalLog } from './request/log-request.ts'
import type { Limits } from './request/limits.ts'
import type { Meter } from './request/meter.ts'
import type { DefaultUse } from './contract.ts'
import { defaultModelRoutes } from './default-model-routes.ts'
import { createModelCaller, type ModelCaller, type ModelCallerDeps } from './model-caller.ts'
import { createHealth } from './routing/health.ts'
import { createNames } from './routing/names/index.ts'
import { createRoutingMetrics } from './routing/routing-metrics.ts'
import { Pauses } from './request/pauses.ts'
import { gatewayRoutes } from './routes.ts'
import { socketRoute } from './sockets/route.ts'
import { serverStopping } from './transport/faults.ts'
import { KeepAlive } from './transport/keep-alive.ts'
import { createUpstream } from './transport/upstream.ts'

export { createCatalog, type Catalog, type SyncedPrice } from './catalog/create-catalog.ts'
export type { EmbeddingCalls } from './request/embedding-calls.ts'
export type { LimitedCall, Limits, Reservation } from './request/limits.ts'
export type { Attempt, Meter, MeteredRequest, OpenEntry, Outcome, SessionKeys } from './request/meter.ts'
export { tagsOf } from './request/tags.ts'
export { builtInPrices, type Usage } from './providers/index.ts'
export { modelsThatEnd } from './catalog/models-that-end.ts'
export type { FixedPrice, PriceSource, TablePrices } from './provider.ts'

export type { ModelCall, ModelCaller } from './model-caller.ts'
export type { ModelReply, WebSource } from '#kernel/model-reply'

export interface GatewayDeps extends Pick<ModelCallerDeps, 'principalFor'> {
  database: Database
  config: Config
  log: Log
  events: Events
  catalog: Catalog
  vault: Vault
  meter: Meter
  listPrice: ListPrice
  metrics: Metrics
  /** Without them nothing is limited. */
  limits?: Limits | undefined
}

export interface Gateway extends Part {
  /** For parts that ask a model themselves. */
  models: ModelCaller
  embeddings: EmbeddingCalls
  /** The model of what names none, in a group. */
  defaultModel(groupId: string, use: DefaultUse): Promise<string>
  /** Keeps the lists of models current, in whatever process runs the jobs. */
  modelLists: Part
}

/**
 * Models of every provider behind one API.
 *
 * @example
 * const gateway = createGateway({ ...kernel, catalog, vault, meter, listPrice, principalFor })
 * const request = { model: 'gpt-6-sol', messages: [{ role: 'user', content: 'Hello' }] }
 * const reply = await gateway.models.complete({ groupId, purpose: 'summary', request })
 */
export function createGateway(deps: GatewayDeps): Gateway {
  const { config, log, catalog, vault, meter, listPrice, limits } = deps
  const { registry } = catalog
  const db: Kysely<GatewayTables> = deps.database.tables()
  const upstream = createUpstream(config.REQUEST_TIMEOUT_MS)
  const keepAlive = new KeepAlive()
  const stored = new StoredResponses(db, log)
  const models = createSyncModels({ ...deps, db, upstream })
  const listModels = createModelList({ registry, vault, upstream, log, synced: catalog.synced, listPrice })
  const routingMetrics = createRoutingMetrics(deps.metrics.registry)
  const health = createHealth({ ...deps, metrics: routingMetrics })
  const names = createNames({ ...deps, registry, restsUntil: health.restsUntil })
  const { check } = names
  const defaultModels = createDefaultModels({ db, config, registry, vault, models: listModels, check })
  const pauses = new Pauses()
  const complete = createComplete({
    ...{ names, vault, upstream, keepAlive, stored, meter, limits, health, pauses, routingMetrics },
    refusesUnsupported: config.UNSUPPORTED_PARAMS === 'refuse',
  })
  let isServing = false

  return {
    name: 'gateway',
    role: 'gateway',
    defaultModel: defaultModels.resolve,
    embeddings: createEmbeddingCalls({ registry, vault, meter, upstream }),
    modelLists: {
      name: 'model lists',
      jobs(jobs) {
        jobs.define('gateway.forget-responses', () => stored.forgetOld(), { cron: '11 3 * * *' })
        const hours = config.MODEL_SYNC_HOURS
        if (hours === 0) return
        // Half an hour less: the job itself runs once an hour.
        const refresh = () => models.refresh(new Date(Date.now() - (hours - 0.5) * 3_600_000))
        jobs.define('gateway.refresh-models', refresh, { cron: '37 * * * *', atStart: true })
      },
      async start() {
        if (config.MODEL_SYNC_HOURS === 0) return
        // Nobody waits for it: the provider may be slow, or down.
        const listNew = (owner: { groupId: string; providerId: string }): void =>
          void models
            .refreshOne(owner)
            .catch((error: unknown) => log.warn({ error }, 'the models of a new key could not be listed'))
        for (const event of [
          'provider_key.added',
          'provider_key.replaced',
          'provider_key.activated',
        ] as const)
          deps.events.on(event, listNew)
      },
    },
    models: createModelCaller({
      complete: () => (isServing ? complete : undefined),
      principalFor: deps.principalFor,
      async checkModel(groupId, model) {
        const found = registry.resolve(groupId, model)
        await names.check(groupId, model)
        if (found) await vault.choose(groupId, found.route.provider, undefined)
      },
    }),
    // Known keys are served from memory: taking the process out of service would turn a short database outage into a full one.
    async health(database) {
      if (!meter.accepts()) return 'unavailable'
      return database === 'ok' ? 'ready' : 'degraded'
    },
    routes(app) {
      isServing = true
      app.errorFormats.push(messagesErrors)
      gatewayRoutes(app, {
        complete,
        refused: createRefusalLog(meter),
        models: async (groupId) => names.withRoutes(groupId, await listModels(groupId)),
        custom: createCustomProviders({ db, registry, config, reload: catalog.reload }),
        sync: models.sync,
        testKey: createTestKey({ catalog, vault, upstream }),
      })
      defaultModelRoutes(app, defaultModels)
      names.routes(app)
      storedResponseRoutes(app, { registry, vault, meter, upstream, keepAlive, stored })
      socketRoute(app, { config, registry, names, meter, metrics: deps.metrics })
      transcriptionRoutes(app, {
        registry,
        vault,
        upstream,
        meter,
        temporaryFolder: join(config.DATA_DIR, 'tmp'),
        maxSpoolBytes: config.SPOOL_MAX_BYTES / config.WORKERS,
      })
    },
    async start() {
      await names.start()
      await health.start()
    },
    interrupt() {
      pauses.stop()
      upstream.abort(serverStopping())
    },
    async stop() {
      keepAlive.stop()
      await upstream.close()
      await stored.stop()
    },
  }
}
