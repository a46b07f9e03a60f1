import type { Kysely } from 'kysely'
import { invalid, notFound } from '#kernel/errors'
import type { Events } from '#kernel/events'
import type { Vault } from '#vault'
import type { Upstream } from '../transport/upstream.ts'
import type { Catalog } from './create-catalog.ts'
import { replaceModels } from './model-store.ts'
import { fetchModels } from './models.ts'
import type { GatewayTables } from './provider-store.ts'

export interface SyncDeps {
  db: Kysely<GatewayTables>
  catalog: Catalog
  vault: Vault
  upstream: Upstream
  events: Events
}

/** Replaces what is known of a provider's models by what its own list says now. */
export function createSyncModels({ db, catalog, vault, upstream, events }: SyncDeps) {
  const { registry } = catalog
  return async (groupId: string, word: string) => {
    const started = performance.now()
    const id = registry.resolveId(groupId, word)
    const route = registry.list(groupId).find(({ provider }) => provider.id === id)
    if (!route) throw notFound('The provider')
    if (!route.provider.models) throw invalid(`${route.provider.name} has no list of models to synchronise.`)
    const key = await vault.choose(groupId, route.provider, undefined)
    const models = await fetchModels(upstream, route, key.key)
    const result = await replaceModels(db, { groupId, providerId: route.provider.id }, models)
    await catalog.reload()
    const duration_ms = Math.round(performance.now() - started)
    events.emit('activity', {
      groupId,
      by: null,
      type: 'sync',
      severity: 'info',
      service: null,
      source: 'gateway',
      title: `Models of ${route.provider.name} synchronized`,
      message: `${result.added} added, ${result.updated} updated, ${result.removed} removed.`,
      metadata: { provider: id, ...result, duration_ms },
    })
    return { ...result, duration_ms }
  }
}
