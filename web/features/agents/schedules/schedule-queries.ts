import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'

export const schedulesKey = (groupId: string, agentId: string) => ['schedules', groupId, agentId] as const

export const schedulesQuery = (groupId: string, agentId: string) =>
  queryOptions({
    queryKey: schedulesKey(groupId, agentId),
    queryFn: async () => (await call('GET', '/api/agents/{id}/schedules', { path: { id: agentId } })).data,
    refetchInterval: 30_000,
  })
