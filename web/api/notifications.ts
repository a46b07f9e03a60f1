import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

export const bellKey = (groupId: string) => ['bell', groupId] as const

/** The newest notifications of the group; looked for again while the page is visible. */
export const bellQuery = (groupId: string) =>
  queryOptions({
    queryKey: bellKey(groupId),
    queryFn: () => call('GET', '/api/v1/notifications', { query: { limit: 20, group_id: groupId } }),
    refetchInterval: 30_000,
    refetchOnWindowFocus: 'always',
  })
