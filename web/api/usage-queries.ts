import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { LogFilter, UsageFilter } from '#usage/contract'
import { call } from './client.ts'

/** Everything under this key is reloaded when a price changes. */
export const usageKey = (groupId: string) => ['usage', groupId] as const

const list =
  <Entry>(name: string, load: (query: UsageFilter) => Promise<{ data: Entry[] }>) =>
  (groupId: string, query: UsageFilter) =>
    queryOptions({
      queryKey: [...usageKey(groupId), name, query],
      queryFn: async () => (await load(query)).data,
      placeholderData: keepPreviousData,
    })

export const byModelQuery = list('by-model', (query) => call('GET', '/api/v1/analytics/by-model', { query }))
export const byProviderQuery = list('by-provider', (query) =>
  call('GET', '/api/v1/analytics/by-provider', { query }),
)
export const byKeyQuery = list('by-key', (query) => call('GET', '/api/v1/analytics/by-key', { query }))
export const dailyQuery = list('daily', (query) => call('GET', '/api/v1/analytics/daily', { query }))
export const hourlyQuery = list('hourly', (query) => call('GET', '/api/v1/analytics/hourly', { query }))

/** The newest requests that failed. */
export const failuresQuery = (groupId: string, limit: number) =>
  queryOptions({
    queryKey: [...usageKey(groupId), 'failures', limit],
    queryFn: async () => (await call('GET', '/api/v1/logs', { query: { status: 'error', limit } })).data,
  })

export const sumsQuery = (groupId: string, query: LogFilter) =>
  queryOptions({
    queryKey: [...usageKey(groupId), 'sums', query],
    queryFn: () => call('GET', '/api/v1/logs/summary', { query }),
    placeholderData: keepPreviousData,
  })
