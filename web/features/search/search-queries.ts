import { useEffect, useRef } from 'react'
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ContextAnswer, SearchAnswer, SearchState } from '#embeddings/contract'
import { call } from '../../api/client.ts'
import { readAgain } from '../../api/read-again.ts'

export interface Wish {
  text: string
  kinds: readonly string[]
  limit: number
}

/** Everything under this key is asked for again when the index has grown. */
const foundKey = (groupId: string) => ['search', groupId, 'found'] as const

const bodyOf = ({ kinds, limit }: Wish) => ({ limit, ...(kinds.length > 0 && { kinds }) })

/** The best of all kinds, best first. */
export const bestQuery = (groupId: string, wish: Wish) =>
  queryOptions({
    queryKey: [...foundKey(groupId), 'best', wish],
    queryFn: () => call<SearchAnswer>('POST', '/api/v1/search', { query: wish.text, ...bodyOf(wish) }),
    placeholderData: keepPreviousData,
  })

/** The best of each kind. */
export const byKindQuery = (groupId: string, wish: Wish) =>
  queryOptions({
    queryKey: [...foundKey(groupId), 'by-kind', wish],
    queryFn: () => call<ContextAnswer>('POST', '/api/v1/context', { text: wish.text, ...bodyOf(wish) }),
    placeholderData: keepPreviousData,
  })

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

/** What the index holds, and fresh results whenever the model has read more. */
export function useIndex(groupId: string) {
  const queryClient = useQueryClient()
  const index = useQuery(indexQuery(groupId))
  const read = index.data && index.data.chunks - index.data.waiting
  const before = useRef(read)
  useEffect(() => {
    if (before.current !== undefined && before.current !== read)
      void readAgain(queryClient, { queryKey: foundKey(groupId) })
    before.current = read
  }, [queryClient, groupId, read])
  return index
}

export function useReindex(groupId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call('POST', '/api/v1/search/reindex', {}),
    onSuccess: () => readAgain(queryClient, { queryKey: ['search', groupId] }),
  })
}
