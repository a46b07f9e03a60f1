import { useEffect, useRef } from 'react'
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ContextResponse, SearchResponse } from '#search/contract'
import { call } from '../../api/client.ts'
import { readAgain } from '../../api/read-again.ts'
import { indexQuery } from '../../api/search-index.ts'

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
    queryFn: () => call<SearchResponse>('POST', '/api/v1/search', { query: wish.text, ...bodyOf(wish) }),
    placeholderData: keepPreviousData,
  })

/** The best of each kind. */
export const byKindQuery = (groupId: string, wish: Wish) =>
  queryOptions({
    queryKey: [...foundKey(groupId), 'by-kind', wish],
    queryFn: () => call<ContextResponse>('POST', '/api/v1/context', { text: wish.text, ...bodyOf(wish) }),
    placeholderData: keepPreviousData,
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
