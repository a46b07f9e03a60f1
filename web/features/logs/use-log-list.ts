import { useEffect, useMemo, useState } from 'react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { LogFilter } from '#usage/contract'
import type { ListedLog } from './log-queries.ts'
import { arrive, merge, noArrivals, type Arrivals } from './arrivals.ts'
import { fetchNewest, logPagesQuery, type Newest } from './log-queries.ts'

const every = 3000

export interface LogListState {
  rows: ListedLog[]
  total: number
  /** Arrived while the list was scrolled or a record was open. */
  waiting: number
  /** Ids that arrived since the list was opened, highlighted for a moment. */
  arrived: ReadonlySet<string>
  isPending: boolean
  error: unknown
  /** The list is shown, but updates are failing. */
  isStale: boolean
  canLoadMore: boolean
  isLoadingMore: boolean
  loadMoreError: unknown
  loadMore: () => void
  reload: () => void
}

/** Earlier requests load page by page, new ones by polling every few seconds. */
export function useLogList(
  groupId: string,
  filter: LogFilter,
  isLive: boolean,
  isReading: boolean,
): LogListState {
  const queryClient = useQueryClient()
  const options = logPagesQuery(groupId, filter)
  const pages = useInfiniteQuery(options)
  const listed = useMemo(() => pages.data?.pages.flatMap((page) => page.data) ?? [], [pages.data])
  const listedIds = useMemo(() => new Set(listed.map(({ id }) => id)), [listed])
  const [arrivals, setArrivals] = useArrivals(filter)
  const newestKnown = arrivals.waiting[0] ?? arrivals.shown[0] ?? listed[0]
  const oldest = pages.hasNextPage ? listed.at(-1)?.id : undefined
  const newestKey = ['logs', groupId, 'newest', filter]
  const reload = () => {
    setArrivals(() => noArrivals)
    // What was found for the old list does not apply to the new one.
    queryClient.setQueryData<Newest>(newestKey, { rows: [], isComplete: true })
    void queryClient.resetQueries({ queryKey: options.queryKey })
  }
  const newest = useQuery({
    queryKey: newestKey,
    queryFn: () => fetchNewest(filter, newestKnown?.id),
    enabled: isLive && pages.isSuccess,
    refetchInterval: every,
    gcTime: 0,
    staleTime: every,
  })

  useEffect(() => {
    const found = newest.data
    if (!pages.isSuccess) return undefined
    if (found?.isComplete === false && !isReading) return reload()
    setArrivals((before) => arrive(before, found?.rows ?? [], listedIds, oldest, isReading))
    return undefined
    // `reload` is a new function on each render and must not trigger this effect.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [newest.data, listedIds, oldest, isReading])

  const rows = useMemo(() => merge(arrivals.shown, listed), [arrivals.shown, listed])
  return {
    rows,
    total: (pages.data?.pages[0]?.total ?? 0) + arrivals.shown.length,
    waiting: arrivals.waiting.length,
    arrived: useMemo(() => new Set(arrivals.shown.map(({ id }) => id)), [arrivals.shown]),
    isPending: pages.isPending,
    error: pages.data ? null : pages.error,
    isStale: isLive && newest.isError,
    canLoadMore: pages.hasNextPage,
    isLoadingMore: pages.isFetchingNextPage,
    loadMoreError: pages.isFetchNextPageError ? pages.error : null,
    loadMore: () => void pages.fetchNextPage(),
    reload,
  }
}

/** A new filter is a new list: arrivals for the old one are dropped. */
function useArrivals(filter: LogFilter) {
  const [held, setHeld] = useState({ filter, arrivals: noArrivals })
  const arrivals = held.filter === filter ? held.arrivals : noArrivals
  const setArrivals = (change: (before: Arrivals) => Arrivals) =>
    setHeld((before) => {
      const after = change(before.filter === filter ? before.arrivals : noArrivals)
      return before.filter === filter && after === before.arrivals ? before : { filter, arrivals: after }
    })
  return [arrivals, setArrivals] as const
}
