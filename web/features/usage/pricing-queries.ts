import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ModelPrices, Price, PriceBody } from '#usage/contract'
import { call } from '../../api/client.ts'
import { refreshQueries } from '../../api/refresh-queries.ts'
import { usageKey } from '../../api/usage-queries.ts'

/** Slashes in a model id stay as they are. */
const path = (model: string) => `/api/v1/pricing/${model.split('/').map(encodeURIComponent).join('/')}`

export const pricesQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['pricing', groupId],
    queryFn: async () => (await call<{ data: Price[] }>('GET', '/api/v1/pricing')).data,
  })

export const modelPricesQuery = (groupId: string, model: string) =>
  queryOptions({
    queryKey: ['pricing', groupId, model],
    queryFn: () => call<ModelPrices>('GET', path(model)),
  })

export function useSetPrice(groupId: string, model: string) {
  const onSuccess = usePricesChanged(groupId)
  return useMutation({
    mutationFn: (body: PriceBody) => call('PUT', path(model), { ...body, group_id: groupId }),
    onSuccess,
  })
}

/** Removes the group's custom price: the built-in or synced price applies again. */
export function useDropPrice(groupId: string, model: string) {
  const onSuccess = usePricesChanged(groupId)
  return useMutation({ mutationFn: () => call('DELETE', path(model)), onSuccess })
}

/** A price changes what requests cost, so everything with a cost is reloaded. */
function usePricesChanged(groupId: string) {
  const queryClient = useQueryClient()
  return () => {
    for (const queryKey of [usageKey(groupId), ['pricing', groupId], ['logs', groupId]])
      void refreshQueries(queryClient, { queryKey })
  }
}
