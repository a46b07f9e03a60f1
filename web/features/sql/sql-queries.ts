import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Agent } from '#agents/contract'
import type { Approval, AuditRecord, OfferedDatabase, PolicyExplanation, Undoable } from '#sql/contract'
import { call } from '../../api/client.ts'

export const sqlKey = (groupId: string) => ['sql', groupId] as const

export const databasesQuery = (groupId: string) =>
  queryOptions({
    queryKey: [...sqlKey(groupId), 'databases'],
    queryFn: async () => (await call<{ data: OfferedDatabase[] }>('GET', '/api/v1/sql/databases')).data,
    staleTime: 30_000,
  })

export const agentsQuery = (groupId: string) =>
  queryOptions({
    queryKey: [...sqlKey(groupId), 'agents'],
    queryFn: async () => (await call<{ data: Agent[] }>('GET', '/api/agents')).data,
    staleTime: 30_000,
  })

/** What the policy says about the text; asked again whenever it changes. */
export const explanationQuery = (
  groupId: string,
  question: { database: string; sql: string; agent_id: string },
  /** Of the policy: a changed one is asked again. */
  version = 0,
) =>
  queryOptions({
    queryKey: [...sqlKey(groupId), 'explanation', question, version],
    queryFn: () => call<PolicyExplanation>('POST', '/api/v1/sql/explain-policy', question),
    enabled: question.sql.trim() !== '' && question.database !== '',
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 10_000,
  })

export const approvalsQuery = (groupId: string, status?: string) =>
  queryOptions({
    queryKey: [...sqlKey(groupId), 'approvals', status ?? ''],
    queryFn: async () =>
      (
        await call<{ data: Approval[] }>(
          'GET',
          `/api/v1/sql/approvals?limit=100${status === undefined ? '' : `&status=${status}`}`,
        )
      ).data,
    refetchInterval: 5_000,
    placeholderData: keepPreviousData,
  })

export const approvalQuery = (groupId: string, id: string) =>
  queryOptions({
    queryKey: [...sqlKey(groupId), 'approval', id],
    queryFn: () => call<Approval>('GET', `/api/v1/sql/approvals/${id}`),
    refetchInterval: 5_000,
  })

export interface AuditFilter {
  q?: string | undefined
  database?: string | undefined
  status?: string | undefined
  agent_id?: string | undefined
}

export function auditParameters(filter: AuditFilter): URLSearchParams {
  const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return new URLSearchParams(given)
}

export const auditQuery = (groupId: string, filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: [...sqlKey(groupId), 'audit', filter],
    queryFn: ({ pageParam }) => {
      const parameters = auditParameters(filter)
      if (pageParam !== null) parameters.set('cursor', pageParam)
      const query = parameters.toString()
      return call<{ data: AuditRecord[]; next_cursor: string | null }>(
        'GET',
        `/api/v1/sql/logs${query === '' ? '' : `?${query}`}`,
      )
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  })

export const undoQuery = (groupId: string, auditId: string) =>
  queryOptions({
    queryKey: [...sqlKey(groupId), 'undo', auditId],
    queryFn: () => call<Undoable>('GET', `/api/v1/sql/logs/${auditId}/undo`),
    retry: false,
  })
