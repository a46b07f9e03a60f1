import { queryOptions } from '@tanstack/react-query'
import type { SearchState } from '#search/contract'
import { call } from './client.ts'
import { useChange } from './refresh-queries.ts'

const whileBusyMs = 2_000
const atRestMs = 15_000

/** An empty index is about to get its first documents. */
const isGrowing = ({ documents, waiting }: SearchState): boolean => waiting > 0 || documents === 0

/** The state of the index, polled more often while it grows. */
export const indexQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['search', groupId, 'state'],
    queryFn: () => call('GET', '/api/v1/search/state'),
    refetchInterval: ({ state }) => (state.data && isGrowing(state.data) ? whileBusyMs : atRestMs),
  })

export function useReindex(groupId: string) {
  return useChange(['search', groupId], () => call('POST', '/api/v1/search/reindex'))
}
