import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

/** Refreshed while it is on the screen: others use it up. */
export const limitsQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['limits', groupId],
    queryFn: async () => (await call('GET', '/api/v1/limits', { query: { group_id: groupId } })).data,
    refetchInterval: 10_000,
  })
