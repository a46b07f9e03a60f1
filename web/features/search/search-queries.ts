import { useEffect, useRef } from 'react'
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { refreshQueries } from '../../api/refresh-queries.ts'
import { indexQuery } from '../../api/search-index.ts'

export interface SearchQuery {
  text: string
  kinds: readonly string[]
  limit: number
}

/** Everything under this key is reloaded when the index has grown. */
const foundKey = (groupId: string) => ['search', groupId, 'found'] as const

const bodyOf = ({ kinds, limit }: SearchQuery) => ({ limit, ...(kinds.length > 0 && { kinds }) })

/** The best of all kinds, best first. */
export const bestQuery = (groupId: string, query: SearchQuery) =>
  queryOptions({
    queryKey: [...foundKey(groupId), 'best', query],
    queryFn: () => call('POST', '/api/v1/search', { body: { query: query.text, ...bodyOf(query) } }),
    placeholderData: keepPreviousData,
  })

/** How much there is of each kind, and the best of it. */
export const byKindQuery = (groupId: string, text: string) =>
  queryOptions({
    queryKey: [...foundKey(groupId), 'by-kind', text],
    queryFn: () => call('POST', '/api/v1/search/kinds', { body: { query: text } }),
    enabled: text !== '',
  })

export const savedQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['search', groupId, 'saved'],
    queryFn: () => call('GET', '/api/v1/search/saved'),
  })

/** The state of the index; reloads the results whenever more documents are embedded. */
export function useIndex(groupId: string) {
  const queryClient = useQueryClient()
  const index = useQuery(indexQuery(groupId))
  const embedded = index.data && index.data.chunks - index.data.waiting
  const before = useRef(embedded)
  useEffect(() => {
    if (before.current !== undefined && before.current !== embedded)
      void refreshQueries(queryClient, { queryKey: foundKey(groupId) })
    before.current = embedded
  }, [queryClient, groupId, embedded])
  return index
}
