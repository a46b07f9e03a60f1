import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import type { Model } from './types.ts'

export const modelsQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['models', groupId],
    queryFn: async () => (await call<{ data: Model[] }>('GET', '/api/v1/gateway/models')).data,
    staleTime: 60_000,
  })
