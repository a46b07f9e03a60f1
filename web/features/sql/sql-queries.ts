import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { addressOf, call, errorOf, type Given } from '../../api/client.ts'
import { pagesQuery } from '../../api/pages.ts'

export const sqlKey = (groupId: string) => ['sql', groupId] as const

export const databasesQuery = (groupId: string) =>
  queryOptions({
    queryKey: [...sqlKey(groupId), 'databases'],
    queryFn: async () => (await call('GET', '/api/v1/sql/databases')).data,
    staleTime: 30_000,
  })

export const grantsQuery = (groupId: string) =>
  queryOptions({
    queryKey: [...sqlKey(groupId), 'grants'],
    queryFn: async () => (await call('GET', '/api/v1/sql/grants')).data,
    refetchInterval: 30_000,
  })

/** Text, unlike every other response. */
export const setupScriptQuery = (groupId: string, name: string) =>
  queryOptions({
    queryKey: [...sqlKey(groupId), 'setup script', name],
    queryFn: async () => {
      const path = '/api/v1/sql/databases/{name}/setup'
      const response = await fetch(addressOf(path, { path: { name }, query: { group_id: groupId } }))
      if (response.ok) return response.text()
      throw errorOf(response.status, await response.json().catch(() => undefined))
    },
    retry: false,
  })

export const agentsQuery = (groupId: string) =>
  queryOptions({
    queryKey: [...sqlKey(groupId), 'agents'],
    queryFn: async () => (await call('GET', '/api/agents')).data,
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
    queryFn: () => call('POST', '/api/v1/sql/explain-policy', { body: question }),
    enabled: question.sql.trim() !== '' && question.database !== '',
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 10_000,
  })

type ApprovalStatus = NonNullable<Given<'GET', '/api/v1/sql/approvals'>['query']>['status']

export const approvalsQuery = (groupId: string, status?: ApprovalStatus) =>
  queryOptions({
    queryKey: [...sqlKey(groupId), 'approvals', status ?? ''],
    queryFn: async () => (await call('GET', '/api/v1/sql/approvals', { query: { limit: 100, status } })).data,
    refetchInterval: 5_000,
    placeholderData: keepPreviousData,
  })

export const approvalQuery = (groupId: string, id: string) =>
  queryOptions({
    queryKey: [...sqlKey(groupId), 'approval', id],
    queryFn: () => call('GET', '/api/v1/sql/approvals/{id}', { path: { id } }),
    refetchInterval: 5_000,
  })

export type AuditFilter = NonNullable<Given<'GET', '/api/v1/sql/logs'>['query']>

export const auditQuery = (groupId: string, query: AuditFilter) => ({
  ...pagesQuery(sqlKey(groupId), '/api/v1/sql/logs', { query }),
  refetchInterval: 10_000,
})

/** Only one's own, also for those who see all. */
export const historyQuery = (groupId: string, q: string) =>
  pagesQuery(sqlKey(groupId), '/api/v1/sql/logs', {
    query: { mine: 'true', ...(q !== '' && { q }) },
  })

/** Not below the key of SQL: not every statement changes the structure. */
export const schemaQuery = (groupId: string, database: string, agentId: string) =>
  queryOptions({
    queryKey: ['sql schema', groupId, database, agentId],
    queryFn: () => readSchema(database, agentId),
    enabled: database !== '',
    staleTime: 60_000,
    retry: false,
  })

/** `fresh`: after a change of the structure, not what the server kept. */
export const readSchema = (database: string, agentId: string, fresh?: 'true') =>
  call('GET', '/api/v1/sql/databases/{name}/schema', {
    path: { name: database },
    query: { agent_id: agentId, fresh },
  })

export const undoQuery = (groupId: string, auditId: string) =>
  queryOptions({
    queryKey: [...sqlKey(groupId), 'undo', auditId],
    queryFn: () => call('GET', '/api/v1/sql/logs/{id}/undo', { path: { id: auditId } }),
    retry: false,
  })
