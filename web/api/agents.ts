import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

export const agentsKey = (groupId: string) => ['agents', groupId] as const

export const agentsQuery = (groupId: string) =>
  queryOptions({
    queryKey: [...agentsKey(groupId), 'list'],
    queryFn: async () => (await call('GET', '/api/agents')).data,
    staleTime: 30_000,
  })
