import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import { invalid, notFound } from '#kernel/errors'
import type { Http } from '#kernel/http'
import type { Log } from '#kernel/log'
import type { ProviderDirectory, Vault } from '#vault'
import { createComplete } from './request/complete.ts'
import { createCustomProviders } from './catalog/custom-providers.ts'
import { KeepAlive } from './transport/keep-alive.ts'
import type { Meter } from './request/meter.ts'
import { createModelList, fetchModels, type ListPrice } from './catalog/models.ts'
import { listSyncedModels, replaceModels } from './catalog/model-store.ts'
import { listCustomProviders, type GatewayTables } from './catalog/provider-store.ts'
import { builtInProviders, providerOptions, type ModelInfo } from './providers/index.ts'
import { createRegistry } from './catalog/registry.ts'
import { gatewayRoutes } from './routes.ts'
import { createModelSearchKind } from './catalog/search-kind.ts'
import { transcriptionRoutes } from './apis/transcription/index.ts'
import { createUpstream } from './transport/upstream.ts'

export type { Meter, MeteredRequest, OpenEntry, Outcome } from './request/meter.ts'
export type { Usage } from './providers/index.ts'

/** What a provider's own list says a model costs, in US dollars for a million tokens and for a request. */
export interface SyncedPrice extends Pick<
  ModelInfo,
  'inputPrice' | 'outputPrice' | 'cacheReadPrice' | 'cacheWritePrice' | 'requestPrice'
> {
  model: string
}

export interface GatewayDeps {
  database: Database
  config: Config
  log: Log
  meter: Meter
  listPrice: ListPrice
}

/** Models of every provider behind one door. Made in two steps, since the vault needs to know the providers first. */
export function createGateway({ database, config, log, meter, listPrice }: GatewayDeps) {
  const db: Kysely<GatewayTables> = database.tables()
  const registry = createRegistry(config)
  const upstream = createUpstream(config.REQUEST_TIMEOUT_MS)
  const keepAlive = new KeepAlive()
  let synced = new Map<string, ModelInfo[]>()

  const providers: ProviderDirectory = {
    list: (groupId) =>
      registry.list(groupId).map(({ provider, baseUrl, isActive }) => ({
        id: provider.id,
        specName: provider.specName,
        name: provider.name,
        docsUrl: provider.docsUrl,
        prefixes: provider.prefixes,
        baseUrl,
        isActive,
      })),
    resolveId: (groupId, word) => registry.resolveId(groupId, word),
  }

  async function reload(): Promise<void> {
    registry.setCustom(await listCustomProviders(db))
    synced = await listSyncedModels(db)
  }

  const reloadQuietly = (): void =>
    void reload().catch((error: unknown) => log.warn({ error }, 'providers could not be read again'))

  return {
    providers,
    /** The catalogue of models, for the search. */
    searchKind: createModelSearchKind(
      db,
      new Map(builtInProviders(config).map(({ provider }) => [provider.id, provider.name])),
    ),
    /** Keys of built-in providers that the environment gave. */
    environmentKeys: () =>
      builtInProviders(config).flatMap(({ provider, environmentKey }) =>
        environmentKey ? [{ providerId: provider.id, key: environmentKey }] : [],
      ),

    routes(app: Http, vault: Vault): void {
      const deps = { registry, vault, upstream, keepAlive, meter, options: providerOptions(config) }
      const complete = createComplete(deps)
      const models = createModelList({
        registry,
        vault,
        upstream,
        log,
        synced: (providerId) => synced.get(providerId) ?? [],
        listPrice,
      })
      transcriptionRoutes(app, {
        registry,
        vault,
        upstream,
        meter,
        temporaryFolder: join(config.DATA_DIR, 'tmp'),
      })
      gatewayRoutes(app, {
        complete,
        models,
        custom: createCustomProviders(db, registry, config),
        async sync(groupId, word) {
          const started = performance.now()
          const id = registry.resolveId(groupId, word)
          const route = registry.list(groupId).find(({ provider }) => provider.id === id)
          if (!route) throw notFound('The provider')
          if (!route.provider.models)
            throw invalid(`${route.provider.name} has no list of models to synchronise.`)
          const key = await vault.choose(groupId, route.provider, undefined)
          const result = await replaceModels(
            db,
            route.provider.id,
            await fetchModels(upstream, route, key.key.reveal()),
          )
          await reload()
          return { ...result, duration_ms: Math.round(performance.now() - started) }
        },
      })
    },
    /** The provider that a request for the model goes to. */
    providerOf: (groupId: string, model: string): string | null =>
      registry.find(groupId, model)?.provider.id ?? null,
    /** Only of built-in providers: what a group's own provider says must not count for other groups. */
    async syncedPrices(): Promise<SyncedPrice[]> {
      const lists = await listSyncedModels(db)
      return builtInProviders(config)
        .flatMap(({ provider }) => lists.get(provider.id) ?? [])
        .map(({ id, ...info }) => ({ model: id, ...info }))
    },
    async start(): Promise<void> {
      await reload()
      await database.listener.on('gateway_changed', reloadQuietly, reloadQuietly)
    },
    async stop(): Promise<void> {
      keepAlive.stop()
      await upstream.close()
    },
  }
}
