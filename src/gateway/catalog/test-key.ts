import type { Principal } from '#kernel/auth'
import { notFound } from '#kernel/errors'
import { maskFor } from '#kernel/log'
import type { Vault } from '#vault'
import type { KeyTest } from '../contract.ts'
import { redirectFault, toFault, withoutKey } from '../transport/faults.ts'
import { receiveWhole } from '../transport/receive.ts'
import type { Upstream } from '../transport/upstream.ts'
import type { Catalog } from './create-catalog.ts'
import type { Route } from './registry.ts'

interface Deps {
  catalog: Catalog
  vault: Vault
  upstream: Upstream
}

/** Tries a provider key with a call that costs nothing, also one that is deactivated. */
export function createTestKey({ catalog, vault, upstream }: Deps) {
  return async (principal: Principal, keyId: string): Promise<KeyTest> => {
    const found = await vault.findKey(principal, keyId)
    const routes = catalog.registry.list(found.groupId)
    const route = routes.find(({ provider }) => provider.id === found.providerId)
    if (!route) throw notFound('The provider key')
    const path = route.provider.keyCheckPath ?? route.provider.models?.path
    if (path === undefined)
      return {
        status: 'untested',
        message: `${route.provider.name} has no call that is free.`,
        duration_ms: 0,
      }
    const started = performance.now()
    const refusal = await ask(upstream, route, path, found.key)
    vault.noteOutcome(found.id, refusal?.message ?? null)
    await vault.saveOutcomes()
    return {
      status: refusal?.status ?? 'ok',
      message: refusal?.message ?? `${route.provider.name} accepts the key.`,
      duration_ms: Math.round(performance.now() - started),
    }
  }
}

type Refusal = Pick<KeyTest, 'message'> & { status: 'refused' | 'failed' }
type OpenedKey = Awaited<ReturnType<Vault['findKey']>>['key']

/** Null where the provider accepted the key. */
async function ask(upstream: Upstream, route: Route, path: string, key: OpenedKey): Promise<Refusal | null> {
  const { provider, baseUrl, allowPrivate } = route
  const mask = maskFor(key)
  const credentials = provider.credentials(key.reveal())
  try {
    const response = await receiveWhole(upstream, {
      baseUrl,
      path,
      query: { ...credentials.query },
      method: 'GET',
      headers: { accept: 'application/json', 'accept-encoding': 'identity', ...credentials.headers },
      body: null,
      allowPrivate,
      mask,
    })
    const { status } = response
    if (status >= 200 && status < 300) return null
    const fault = redirectFault(status) ?? provider.fault({ ...response, body: response.body.toString() })
    return { status: isRefusal(status) ? 'refused' : 'failed', message: withoutKey(fault, mask).message }
  } catch (error) {
    return { status: 'failed', message: withoutKey(toFault(error), mask).message }
  }
}

/** The call has nothing in it that could be wrong but the key; some providers answer 400 to a wrong one. */
const isRefusal = (status: number): boolean => status === 400 || status === 401 || status === 403
