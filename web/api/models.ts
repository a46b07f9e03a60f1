import { queryOptions } from '@tanstack/react-query'
import type { Model } from '#gateway/contract'
import { call } from './client.ts'

export const modelsQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['models', groupId],
    queryFn: async () => (await call<{ data: Model[] }>('GET', '/api/v1/gateway/models')).data,
    staleTime: 60_000,
  })
