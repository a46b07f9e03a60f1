import { BoundedCache } from '#kernel/cache'
import type { Vault } from '#vault'
import { maskFor, type Log, type Secret } from '#kernel/log'
import type { ModelInfo } from '../providers/index.ts'
import { redirectFault, toFault, withoutKey } from '../transport/faults.ts'
import { receiveWhole } from '../transport/receive.ts'
import { brokenFault } from '../wire/fault.ts'
import { parseJson } from '../wire/json.ts'
import type { Registry, Route } from './registry.ts'
import type { Upstream } from '../transport/upstream.ts'

interface Cached {
  models: ModelInfo[]
  fetchedAt: number
  failedAt: number
  refreshing: Promise<void> | undefined
}

interface Deps {
  registry: Registry
  vault: Vault
  upstream: Upstream
  log: Log
  /** Models and prices that a synchronisation brought to the group. */
  synced(groupId: string, providerId: string): Promise<readonly ModelInfo[]>
  listPrice: ListPrice
}

/** What a request for the model would be priced by: for a million tokens, as decimal text. */
export type ListPrice = (
  groupId: string,
  provider: string,
  model: string,
) => (Pick<ModelInfo, 'inputPrice' | 'outputPrice'> & { audioSecondPrice: string | null }) | null

export interface ListedModel {
  provider: string
  model: ModelInfo
  audioSecondPrice: string | null
}

const freshMs = 10 * 60_000
/** After a failure the provider is left alone for a while, so that nobody waits for it on every call. */
const retryMs = 15_000
const largestPageCount = 20
const maxLists = 1_000

/**
 * The models of every provider that the group has a usable key for. Lists are kept and refreshed in the background;
 * one provider's outage leaves its last list standing and touches no other.
 */
export function createModelList({ registry, vault, upstream, log, synced, listPrice }: Deps) {
  const lists = new BoundedCache<string, Cached>('model_lists', maxLists)

  async function ofProvider(groupId: string, route: Route): Promise<ModelInfo[]> {
    const { provider } = route
    const known = [...(provider.knownModels ?? []), ...(await synced(groupId, provider.id))]
    if (known.length > 0 || !provider.models) return known
    const key = await vault.choose(groupId, provider, undefined)
    const id = `${provider.id} ${route.baseUrl} ${key.id}`
    const cached = lists.get(id) ?? { models: [], fetchedAt: 0, failedAt: 0, refreshing: undefined }
    lists.set(id, cached)
    const now = Date.now()
    if (now - cached.fetchedAt > freshMs && now - cached.failedAt > retryMs) {
      cached.refreshing ??= refresh(route, key.key, cached).finally(() => (cached.refreshing = undefined))
      // Only the first caller ever waits; later ones get the last list at once.
      if (cached.fetchedAt === 0) await cached.refreshing
    }
    return cached.models
  }

  async function refresh(route: Route, key: Secret, cached: Cached): Promise<void> {
    try {
      cached.models = await fetchModels(upstream, route, key)
      cached.fetchedAt = Date.now()
    } catch (error) {
      cached.failedAt = Date.now()
      log.warn(
        { provider: route.provider.id, reason: toFault(error).message },
        'the model list could not be refreshed',
      )
    }
  }

  function priced(groupId: string, provider: string, model: ModelInfo): ListedModel {
    const { audioSecondPrice = null, ...prices } = listPrice(groupId, provider, model.id) ?? {}
    return { provider, model: { ...model, ...prices }, audioSecondPrice }
  }

  return async function list(groupId: string): Promise<ListedModel[]> {
    const usable = await vault.usableProviders(groupId)
    const routes = registry
      .list(groupId)
      .filter(({ provider, isActive }) => isActive && usable.has(provider.id))
    const lists = await Promise.allSettled(routes.map((route) => ofProvider(groupId, route)))
    return lists.flatMap((result, index) =>
      result.status === 'fulfilled'
        ? result.value.map((model) => priced(groupId, routes[index]?.provider.id ?? '', model))
        : [],
    )
  }
}

/** Reads all pages of a provider's list. */
export async function fetchModels(upstream: Upstream, route: Route, key: Secret): Promise<ModelInfo[]> {
  try {
    return await readPages(upstream, route, key)
  } catch (error) {
    throw withoutKey(toFault(error), maskFor(key))
  }
}

async function readPages(upstream: Upstream, route: Route, key: Secret): Promise<ModelInfo[]> {
  const { provider, baseUrl, allowPrivate } = route
  const listing = provider.models
  if (!listing) return []
  const credentials = provider.credentials(key.reveal())
  const models: ModelInfo[] = []
  let next: Record<string, string> | undefined = {}
  for (let page = 0; next && page < largestPageCount; page++) {
    const response = await receiveWhole(upstream, {
      baseUrl,
      path: listing.path,
      query: { ...listing.query, ...next, ...credentials.query },
      method: 'GET',
      headers: { accept: 'application/json', 'accept-encoding': 'identity', ...credentials.headers },
      body: null,
      allowPrivate,
      mask: maskFor(key),
    })
    if (response.status !== 200)
      throw redirectFault(response.status) ?? provider.fault({ ...response, body: response.body.toString() })
    const read = listing.read(pageIn(response.body, provider.name))
    models.push(...read.models)
    next = read.next
  }
  return models
}

function pageIn(body: Buffer, provider: string): unknown {
  const page = parseJson(body.toString())
  if (page === undefined) throw brokenFault(provider, 'sent a model list that is not JSON')
  return page
}
