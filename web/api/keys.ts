import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

export const keysQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['keys', groupId],
    queryFn: async () => (await call('GET', '/api/v1/keys', { query: { group_id: groupId } })).data,
  })
