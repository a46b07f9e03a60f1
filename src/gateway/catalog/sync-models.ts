import type { Kysely } from 'kysely'
import { invalid, messageOf, notFound } from '#kernel/errors'
import type { Events } from '#kernel/events'
import type { Vault } from '#vault'
import type { Upstream } from '../transport/upstream.ts'
import type { Catalog } from './create-catalog.ts'
import { replaceModels, type ListOwner, type SyncResult } from './model-store.ts'
import { fetchModels } from './models.ts'
import type { GatewayTables } from './provider-store.ts'
import type { Route } from './registry.ts'
import { listDueSyncs, listTriedSince, noteSync } from './sync-store.ts'

export interface SyncDeps {
  db: Kysely<GatewayTables>
  catalog: Catalog
  vault: Vault
  upstream: Upstream
  events: Events
}

type Synced = SyncResult & { duration_ms: number }

export interface SyncModels {
  /** Replaces what is known of a provider's models by what its own list says now. */
  sync(groupId: string, word: string): Promise<Synced>
  /** Does so for every provider in use whose list was last fetched before a time. Failures are reported as events. */
  refresh(before: Date): Promise<void>
  /** Does so for one provider of a group, whose key is new. */
  refreshOne(owner: ListOwner): Promise<void>
}

export function createSyncModels({ db, catalog, vault, upstream, events }: SyncDeps): SyncModels {
  const { registry } = catalog

  async function replace(groupId: string, route: Route): Promise<Synced> {
    const started = performance.now()
    const { provider } = route
    const key = await vault.choose(groupId, provider, undefined)
    const models = await fetchModels(upstream, route, key.key)
    const result = await replaceModels(db, { groupId, providerId: provider.id }, models)
    await noteSync(db, { groupId, providerId: provider.id }, null)
    await catalog.reload()
    return { ...result, duration_ms: Math.round(performance.now() - started) }
  }

  function report(groupId: string, { provider }: Route, result: Synced): void {
    emit(groupId, 'info', `Models of ${provider.name} synchronized`, {
      message: `${result.added} added, ${result.updated} updated, ${result.removed} removed.`,
      metadata: { provider: provider.id, ...result },
    })
  }

  function emit(groupId: string, severity: 'info' | 'warning', title: string, rest: Told): void {
    const nobody = { groupId, by: null, service: null }
    events.emit('activity', { ...nobody, type: 'sync', severity, source: 'gateway', title, ...rest })
  }

  async function refreshOne(owner: ListOwner): Promise<void> {
    const { groupId, providerId } = owner
    const route = registry.list(groupId).find(({ provider }) => provider.id === providerId)
    const usable = await vault.usableProviders(groupId)
    // Without a key the list stays as it is, which is no failure.
    if (!route?.provider.models || !route.isActive || !usable.has(providerId))
      return void (await noteSync(db, owner, null))
    try {
      const result = await replace(groupId, route)
      if (result.added + result.updated + result.removed > 0) report(groupId, route, result)
    } catch (error) {
      const failure = messageOf(error)
      const hadFailed = await noteSync(db, owner, failure)
      if (hadFailed) return
      emit(groupId, 'warning', `Models of ${route.provider.name} could not be refreshed`, {
        message: failure,
        metadata: { provider: providerId },
      })
    }
  }

  return {
    async sync(groupId, word) {
      const id = registry.resolveId(groupId, word)
      const route = registry.list(groupId).find(({ provider }) => provider.id === id)
      if (!route) throw notFound('The provider')
      if (!route.provider.models)
        throw invalid(`${route.provider.name} has no list of models to synchronise.`)
      const result = await replace(groupId, route)
      report(groupId, route, result)
      return result
    },
    async refresh(before) {
      const known = await listDueSyncs(db, before)
      const tried = new Set((await listTriedSince(db, before)).map(nameOf))
      const unknown = (await vault.providersInUse()).filter((owner) => !tried.has(nameOf(owner)))
      for (const owner of new Map([...known, ...unknown].map((each) => [nameOf(each), each])).values())
        await refreshOne(owner)
    },
    refreshOne,
  }
}

const nameOf = ({ groupId, providerId }: ListOwner): string => `${groupId} ${providerId}`

interface Told {
  message: string
  metadata: Record<string, unknown>
}
