import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { SearchState } from '#search/contract'
import { call } from './client.ts'
import { readAgain } from './read-again.ts'

const whileBusyMs = 2_000
const atRestMs = 15_000

/** Whoever looks at an empty index is waiting for its first document. */
const isGrowing = ({ documents, waiting }: SearchState): boolean => waiting > 0 || documents === 0

/** What the index holds; asked for more often while it grows. */
export const indexQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['search', groupId, 'state'],
    queryFn: () => call<SearchState>('GET', '/api/v1/search/state'),
    refetchInterval: ({ state }) => (state.data && isGrowing(state.data) ? whileBusyMs : atRestMs),
  })

export function useReindex(groupId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call('POST', '/api/v1/search/reindex', {}),
    onSuccess: () => readAgain(queryClient, { queryKey: ['search', groupId] }),
  })
}
