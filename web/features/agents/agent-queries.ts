import { queryOptions } from '@tanstack/react-query'
import type { Agent, AgentVersion } from '#agents/contract'
import { call } from '../../api/client.ts'

export const agentsKey = (groupId: string) => ['agents', groupId] as const

export const agentsQuery = (groupId: string) =>
  queryOptions({
    queryKey: [...agentsKey(groupId), 'list'],
    queryFn: async () => (await call<{ data: Agent[] }>('GET', '/api/agents')).data,
  })

export const agentQuery = (groupId: string, id: string) =>
  queryOptions({
    queryKey: [...agentsKey(groupId), 'one', id],
    queryFn: () => call<Agent>('GET', `/api/agents/${id}`),
  })

export const versionsQuery = (groupId: string, id: string) =>
  queryOptions({
    queryKey: [...agentsKey(groupId), 'versions', id],
    queryFn: async () => (await call<{ data: AgentVersion[] }>('GET', `/api/agents/${id}/versions`)).data,
  })
