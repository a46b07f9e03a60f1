import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type {
  ByKey,
  ByModel,
  ByProvider,
  Daily,
  Hourly,
  LogFilter,
  LogList,
  UsageFilter,
  UsageSums,
} from '#usage/contract'
import { call } from './client.ts'

/** The filter as the server and the address of the export take it. */
export function queryOf(filter: LogFilter, more: Record<string, string> = {}): string {
  const given = Object.entries({ ...filter, ...more }).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((each) => (each === undefined ? [] : [[name, each]])),
  )
  const query = new URLSearchParams(given).toString()
  return query === '' ? '' : `?${query}`
}

/** Everything under this key is reloaded when a price changes. */
export const usageKey = (groupId: string) => ['usage', groupId] as const

const list =
  <Entry>(name: string) =>
  (groupId: string, filter: UsageFilter) =>
    queryOptions({
      queryKey: [...usageKey(groupId), name, filter],
      queryFn: async () =>
        (await call<{ data: Entry[] }>('GET', `/api/v1/analytics/${name}${queryOf(filter)}`)).data,
      placeholderData: keepPreviousData,
    })

export const byModelQuery = list<ByModel>('by-model')
export const byProviderQuery = list<ByProvider>('by-provider')
export const byKeyQuery = list<ByKey>('by-key')
export const dailyQuery = list<Daily>('daily')
export const hourlyQuery = list<Hourly>('hourly')

/** The newest requests that failed. */
export const failuresQuery = (groupId: string, limit: number) =>
  queryOptions({
    queryKey: [...usageKey(groupId), 'failures', limit],
    queryFn: async () =>
      (await call<LogList>('GET', `/api/v1/logs${queryOf({ status: 'error' }, { limit: String(limit) })}`))
        .data,
  })

export const sumsQuery = (groupId: string, filter: LogFilter) =>
  queryOptions({
    queryKey: [...usageKey(groupId), 'sums', filter],
    queryFn: () => call<UsageSums>('GET', `/api/v1/logs/summary${queryOf(filter)}`),
    placeholderData: keepPreviousData,
  })
