import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { PartDimension, SpendDimension, UsageFilter } from '#usage/contract'
import { call } from '../../api/client.ts'
import { usageKey } from '../../api/usage-queries.ts'

/** A period, what spend is split by, and the most rows to list. */
export type SpendQuery = UsageFilter & { by: SpendDimension; limit: number }

export const spendQuery = (groupId: string, query: SpendQuery) =>
  queryOptions({
    queryKey: [...usageKey(groupId), 'spend', query],
    queryFn: () => call('GET', '/api/v1/usage/spend', { query: { ...query, limit: String(query.limit) } }),
    placeholderData: keepPreviousData,
  })

export const spendChangeQuery = (groupId: string, query: SpendQuery) =>
  queryOptions({
    queryKey: [...usageKey(groupId), 'change', query],
    queryFn: () => call('GET', '/api/v1/usage/change', { query: { ...query, limit: String(query.limit) } }),
    placeholderData: keepPreviousData,
  })

export const forecastQuery = (groupId: string) =>
  queryOptions({
    queryKey: [...usageKey(groupId), 'forecast'],
    queryFn: () => call('GET', '/api/v1/usage/forecast', { query: {} }),
  })

/** The days of one route or provider key. */
export const partDaysQuery = (
  groupId: string,
  query: { by: PartDimension; id: string } & Required<Pick<UsageFilter, 'start_date' | 'end_date'>>,
) =>
  queryOptions({
    queryKey: [...usageKey(groupId), 'days', query],
    queryFn: async () => (await call('GET', '/api/v1/usage/days', { query })).data,
    placeholderData: keepPreviousData,
  })

/** Of the groups that the reader owns. */
export const groupSpendQuery = (groupId: string, query: Pick<UsageFilter, 'start_date' | 'end_date'>) =>
  queryOptions({
    queryKey: [...usageKey(groupId), 'groups', query],
    queryFn: () => call('GET', '/api/v1/usage/groups', { query }),
    placeholderData: keepPreviousData,
  })
