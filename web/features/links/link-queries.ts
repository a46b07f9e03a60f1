import { queryOptions } from '@tanstack/react-query'
import type { CostType, ThingRef } from '#links/contract'
import { call } from '../../api/client.ts'

/** Everything under this key is reloaded when a link changes. */
export const linksKey = (groupId: string) => ['links', groupId] as const

export const linksQuery = (groupId: string, { type, id }: ThingRef) =>
  queryOptions({
    queryKey: [...linksKey(groupId), 'of', type, id],
    queryFn: async () => (await call('GET', '/api/v1/links', { query: { type, id } })).data,
  })

export const whyQuery = (groupId: string, { type, id }: ThingRef, direction: 'up' | 'down') =>
  queryOptions({
    queryKey: [...linksKey(groupId), 'why', type, id, direction],
    queryFn: async () => (await call('GET', '/api/v1/why', { query: { type, id, direction } })).chain,
  })

export const workCostQuery = (groupId: string, type: CostType, id: string) =>
  queryOptions({
    queryKey: [...linksKey(groupId), 'cost', type, id],
    queryFn: () => call('GET', '/api/v1/costs', { query: { type, id } }),
  })
