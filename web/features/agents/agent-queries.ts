import { queryOptions } from '@tanstack/react-query'
import { agentsKey } from '../../api/agents.ts'
import { call } from '../../api/client.ts'

export const agentQuery = (groupId: string, id: string) =>
  queryOptions({
    queryKey: [...agentsKey(groupId), 'one', id],
    queryFn: () => call('GET', '/api/agents/{id}', { path: { id } }),
  })

export const versionsQuery = (groupId: string, id: string) =>
  queryOptions({
    queryKey: [...agentsKey(groupId), 'versions', id],
    queryFn: async () => (await call('GET', '/api/agents/{id}/versions', { path: { id } })).data,
  })
