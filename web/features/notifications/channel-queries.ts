import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { pagesQuery } from '../../api/pages.ts'

export const channelsKey = (groupId: string) => ['channels', groupId] as const

export const channelsQuery = (groupId: string) =>
  queryOptions({
    queryKey: [...channelsKey(groupId), 'list'],
    queryFn: async () => (await call('GET', '/api/v1/channels', { query: { group_id: groupId } })).data,
    refetchInterval: 15_000,
  })

export const deliveriesQuery = (groupId: string, id: string) =>
  pagesQuery(channelsKey(groupId), '/api/v1/channels/{id}/deliveries', { path: { id } })
