import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

/** Looked for again while the page is visible, and after each change that somebody makes in it. */
export const attentionQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['attention', groupId],
    queryFn: () => call('GET', '/api/v1/attention', { query: { group_id: groupId } }),
    refetchInterval: 30_000,
    refetchOnWindowFocus: 'always',
  })
