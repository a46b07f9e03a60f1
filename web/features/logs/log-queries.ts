import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { LogFilter, LogList, UsageLog } from '#usage/contract'
import { addressOf, call } from '../../api/client.ts'

const pageLength = 50
const newestLength = 100
const maxCatchUpPages = 5

/** A row with the name of its key. */
export type ListedLog = UsageLog & { api_key_name: string | null }

type Listed = Omit<LogList, 'data'> & { data: ListedLog[] }

async function fetchLogs(filter: LogFilter, limit: number, cursor: string | null): Promise<Listed> {
  const query = { ...filter, limit, cursor: cursor ?? undefined }
  const { data, ...page } = await call('GET', '/api/v1/logs', { query })
  const named = data.map((row) => ({
    ...row,
    api_key_name: page.api_key_names[row.api_key_id ?? ''] ?? null,
  }))
  return { ...page, data: named }
}

const recentLength = 50

/** The newest requests of a filter, for pages of other things. */
export const recentLogsQuery = (groupId: string, filter: LogFilter) =>
  queryOptions({
    queryKey: ['logs', groupId, 'recent', filter],
    queryFn: async () => (await fetchLogs(filter, recentLength, null)).data,
  })

/** The list from when the page was opened, extended backwards by scrolling. */
export const logPagesQuery = (groupId: string, filter: LogFilter) =>
  infiniteQueryOptions({
    queryKey: ['logs', groupId, 'pages', filter],
    queryFn: ({ pageParam }) => fetchLogs(filter, pageLength, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    // Loaded pages stay as they are; new rows are loaded separately.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })

export interface Newest {
  rows: ListedLog[]
  /** Whether they reach back to the known rows; otherwise there is a gap. */
  isComplete: boolean
}

/** The newest rows, back to the newest known one. */
export async function fetchNewest(filter: LogFilter, known: string | undefined): Promise<Newest> {
  const rows: ListedLog[] = []
  let cursor: string | null = null
  for (let page = 0; page < maxCatchUpPages; page += 1) {
    const found: Listed = await fetchLogs(filter, newestLength, cursor)
    rows.push(...found.data)
    const last = found.data.at(-1)
    cursor = found.next_cursor
    if (cursor === null || last === undefined || (known !== undefined && last.id <= known))
      return { rows, isComplete: true }
  }
  return { rows, isComplete: false }
}

export const logQuery = (groupId: string, requestId: string) =>
  queryOptions({
    queryKey: ['logs', groupId, 'one', requestId],
    queryFn: () => call('GET', '/api/v1/logs/{request_id}', { path: { request_id: requestId } }),
  })

export const percentilesQuery = (groupId: string, query: LogFilter) =>
  queryOptions({
    queryKey: ['logs', groupId, 'percentiles', query],
    queryFn: () => call('GET', '/api/v1/logs/percentiles', { query }),
    placeholderData: keepPreviousData,
  })

/** The address of the filtered log as a file. */
export const exportAddress = (groupId: string, filter: LogFilter, format: 'csv' | 'json'): string =>
  addressOf('/api/v1/logs/export', { query: { ...filter, format, group_id: groupId } })
