import { queryOptions } from '@tanstack/react-query'
import type { ApiKey } from '#access/contract'
import { call } from './client.ts'

export const keysQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['keys', groupId],
    queryFn: async () => (await call<{ data: ApiKey[] }>('GET', `/api/v1/keys?group_id=${groupId}`)).data,
  })
