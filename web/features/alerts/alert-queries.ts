import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'

/** Everything under this key is reloaded when an alert changes. */
export const alertsKey = (groupId: string) => ['alerts', groupId] as const

export const alertsQuery = (groupId: string) =>
  queryOptions({
    queryKey: [...alertsKey(groupId), 'list'],
    queryFn: async () => (await call('GET', '/api/v1/alerts', { query: { group_id: groupId } })).data,
  })

export const recommendedQuery = (groupId: string) =>
  queryOptions({
    queryKey: [...alertsKey(groupId), 'recommended'],
    queryFn: async () =>
      (await call('GET', '/api/v1/alerts/recommended', { query: { group_id: groupId } })).data,
  })

/** The channels that an alert may name. */
export const alertChannelsQuery = (groupId: string) =>
  queryOptions({
    queryKey: [...alertsKey(groupId), 'channels'],
    queryFn: async () => (await call('GET', '/api/v1/channels', { query: { group_id: groupId } })).data,
  })

/** The limits of which a share can be used. */
export const alertLimitsQuery = (groupId: string) =>
  queryOptions({
    queryKey: [...alertsKey(groupId), 'limits'],
    queryFn: async () => (await call('GET', '/api/v1/limits', { query: { group_id: groupId } })).data,
  })
