import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { PriceBody } from '#usage/contract'
import { call } from '../../api/client.ts'
import { refreshQueries } from '../../api/refresh-queries.ts'
import { usageKey } from '../../api/usage-queries.ts'

const route = '/api/v1/pricing/{model_id}'
/** Slashes in a model's id stay as they are. */
const pathOf = (model: string) => ({ model_id: model.split('/') })

export const pricesQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['pricing', groupId],
    queryFn: async () => (await call('GET', '/api/v1/pricing')).data,
  })

export const modelPricesQuery = (groupId: string, model: string) =>
  queryOptions({
    queryKey: ['pricing', groupId, model],
    queryFn: () => call('GET', route, { path: pathOf(model) }),
  })

export function useSetPrice(groupId: string, model: string) {
  const onSuccess = usePricesChanged(groupId)
  return useMutation({
    mutationFn: (body: PriceBody) =>
      call('PUT', route, { path: pathOf(model), body: { ...body, group_id: groupId } }),
    onSuccess,
  })
}

/** Removes the group's custom price: the built-in or synced price applies again. */
export function useDropPrice(groupId: string, model: string) {
  const onSuccess = usePricesChanged(groupId)
  return useMutation({ mutationFn: () => call('DELETE', route, { path: pathOf(model) }), onSuccess })
}

/** A price changes what requests cost, so everything with a cost is reloaded. */
function usePricesChanged(groupId: string) {
  const queryClient = useQueryClient()
  return () => {
    for (const queryKey of [usageKey(groupId), ['pricing', groupId], ['logs', groupId]])
      void refreshQueries(queryClient, { queryKey })
  }
}
