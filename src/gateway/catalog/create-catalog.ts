import type { Kysely } from 'kysely'
import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import type { Log } from '#kernel/log'
import type { Part } from '#kernel/part'
import type { ProviderDirectory } from '#vault'
import { builtInProviders, type ModelInfo } from '../providers/index.ts'
import { listSyncedModels } from './model-store.ts'
import { listCustomProviders, type GatewayTables } from './provider-store.ts'
import { createRegistry, type Registry } from './registry.ts'
import { createModelSearchKind } from './search-kind.ts'

/** What a provider's own list says a model costs, in US dollars for a million tokens and for a request. */
export interface SyncedPrice extends Pick<
  ModelInfo,
  'inputPrice' | 'outputPrice' | 'cacheReadPrice' | 'cacheWritePrice' | 'requestPrice'
> {
  model: string
}

export interface CatalogDeps {
  database: Database
  config: Config
  log: Log
}

/** Which providers and models there are. A part of its own, since vault and usage need it and the gateway needs them. */
export interface Catalog extends Part {
  registry: Registry
  providers: ProviderDirectory
  /** Models that a provider's own list named when it was last synchronised. */
  synced(providerId: string): readonly ModelInfo[]
  /** Keys of built-in providers that the environment gave. */
  environmentKeys(): { providerId: string; key: NonNullable<BuiltIn['environmentKey']> }[]
  /** The provider that a request for the model goes to. */
  providerOf(groupId: string, model: string): string | null
  /** Only of built-in providers: what a custom provider says must not count for other groups. */
  syncedPrices(): Promise<SyncedPrice[]>
  /** Reads custom providers and synchronised models from the database. */
  reload(): Promise<void>
}

type BuiltIn = ReturnType<typeof builtInProviders>[number]

export function createCatalog({ database, config, log }: CatalogDeps): Catalog {
  const db: Kysely<GatewayTables> = database.tables()
  const registry = createRegistry(config)
  const builtIn = builtInProviders(config)
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
    void reload().catch((error: unknown) => log.warn({ error }, 'providers could not be reloaded'))

  return {
    name: 'catalog',
    registry,
    providers,
    searchKinds: [
      createModelSearchKind(db, new Map(builtIn.map(({ provider }) => [provider.id, provider.name]))),
    ],
    synced: (providerId) => synced.get(providerId) ?? [],
    environmentKeys: () =>
      builtIn.flatMap(({ provider, environmentKey }) =>
        environmentKey ? [{ providerId: provider.id, key: environmentKey }] : [],
      ),
    providerOf: (groupId, model) => registry.find(groupId, model)?.provider.id ?? null,
    async syncedPrices() {
      const lists = await listSyncedModels(db)
      return builtIn
        .flatMap(({ provider }) => lists.get(provider.id) ?? [])
        .map(({ id, ...info }) => ({ model: id, ...info }))
    },
    reload,
    async start() {
      await reload()
      await database.listener.on('gateway_changed', reloadQuietly, reloadQuietly)
    },
  }
}
