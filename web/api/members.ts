import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

export const membersQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['members', groupId],
    queryFn: async () => (await call('GET', '/api/v1/groups/{id}/members', { path: { id: groupId } })).data,
  })
