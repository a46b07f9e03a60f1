import { queryOptions } from '@tanstack/react-query'
import type { Model } from '#gateway/contract'
import { call } from './client.ts'

export const modelsQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['models', groupId],
    queryFn: async () => (await call('GET', '/api/v1/gateway/models')).data,
    staleTime: 60_000,
  })

/** The first model whose requests have a cost, else the first one. */
export function firstPriced<M extends Pick<Model, 'input_price_per_1m'>>(
  models: readonly M[],
): M | undefined {
  return models.find(({ input_price_per_1m: price }) => price !== null) ?? models[0]
}
