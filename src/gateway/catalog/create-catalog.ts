import type { Kysely } from 'kysely'
import { ReadCache } from '#kernel/cache'
import type { Config } from '#kernel/config'
import { isDatabaseDown, type Database } from '#kernel/db'
import { Fault, faults } from '#kernel/errors'
import type { Part } from '#kernel/part'
import type { ProviderDirectory } from '#vault'
import { builtInProviders, type ModelInfo } from '../providers/index.ts'
import { listSyncedModels, listSyncedPrices, type SyncedPrice } from './model-store.ts'
import { listCustomProviders, listInactiveProviders, type GatewayTables } from './provider-store.ts'
import { createRegistry, type Registry } from './registry.ts'
import { createModelSearchKind } from './search-kind.ts'

export type { SyncedPrice } from './model-store.ts'

const maxGroups = 1_000

export interface CatalogDeps {
  database: Database
  config: Config
}

/** Which providers and models there are. A part of its own, since vault and usage need it and the gateway needs them. */
export interface Catalog extends Part {
  registry: Registry
  providers: ProviderDirectory
  /** Models that a provider's own list named when the group last synchronised it. */
  synced(groupId: string, providerId: string): Promise<readonly ModelInfo[]>
  /** The most tokens that a response of the model has, by its provider's list; null where the list does not say. */
  maxOutput(groupId: string, providerId: string, model: string): number | null
  /** Keys of built-in providers that the environment gave. */
  environmentKeys(): { providerId: string; key: NonNullable<BuiltIn['environmentKey']> }[]
  /** The provider that a request for the model goes to. */
  providerOf(groupId: string, model: string): string | null
  /** Only of built-in providers: their addresses are the operator's. */
  syncedPrices(): Promise<SyncedPrice[]>
  /** Makes custom providers and synchronised models current. */
  reload(): Promise<void>
}

type BuiltIn = ReturnType<typeof builtInProviders>[number]

export function createCatalog({ database, config }: CatalogDeps): Catalog {
  const db: Kysely<GatewayTables> = database.tables()
  const registry = createRegistry(config)
  const builtIn = builtInProviders(config)
  const synced = new ReadCache<ReadonlyMap<string, ModelInfo[]>>({
    name: 'synced_models',
    max: maxGroups,
    read: (groupId) => listSyncedModels(db, groupId),
    isOutage: isDatabaseDown,
    unavailable: (cause) =>
      new Fault(faults.unavailable, 'The models cannot be read: the database is unavailable. Try again.', {
        cause,
      }),
  })

  const providers: ProviderDirectory = {
    list: (groupId) =>
      registry.list(groupId).map(({ provider, baseUrl, isActive, isCustom }) => ({
        id: provider.id,
        specName: provider.specName,
        name: provider.name,
        docsUrl: provider.docsUrl,
        prefixes: provider.prefixes,
        baseUrl,
        isActive,
        isCustom,
      })),
    resolveId: (groupId, word) => registry.resolveId(groupId, word),
  }

  let lastBegun = 0
  let lastKept = 0

  async function reload(): Promise<void> {
    const own = ++lastBegun
    synced.invalidate()
    const [custom, inactive] = await Promise.all([listCustomProviders(db), listInactiveProviders(db)])
    // One that began later has finished first: what it read is newer.
    if (own < lastKept) return
    lastKept = own
    registry.setCustom(custom)
    registry.setInactive(inactive)
  }

  return {
    name: 'catalog',
    registry,
    providers,
    searchKinds: [
      createModelSearchKind(db, new Map(builtIn.map(({ provider }) => [provider.id, provider.name]))),
    ],
    synced: async (groupId, providerId) => (await synced.get(groupId))?.get(providerId) ?? [],
    maxOutput(groupId, providerId, model) {
      const known = synced.get(groupId)
      if (!(known instanceof Promise))
        return known?.get(providerId)?.find(({ id }) => id === model)?.maxOutput ?? null
      // Next time it is in memory; who asks does not wait.
      known.catch(() => undefined)
      return null
    },
    environmentKeys: () =>
      builtIn.flatMap(({ provider, environmentKey }) =>
        environmentKey ? [{ providerId: provider.id, key: environmentKey }] : [],
      ),
    providerOf: (groupId, model) => registry.find(groupId, model)?.provider.id ?? null,
    syncedPrices: () =>
      listSyncedPrices(
        db,
        builtIn.map(({ provider }) => provider.id),
      ),
    reload,
    async start() {
      await reload()
      await database.listener.on('gateway_changed', reload, reload)
    },
  }
}
