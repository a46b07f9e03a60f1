import { useEffect, useMemo, useState } from 'react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { LogFilter, UsageLog } from '#usage/contract'
import { arrive, merge, noArrivals, type Arrivals } from './arrivals.ts'
import { fetchNewest, logPagesQuery, type Newest } from './log-queries.ts'

const every = 3000

export interface LogListState {
  rows: UsageLog[]
  total: number
  /** Came in while the reader was elsewhere in the list. */
  waiting: number
  /** Ids that came in since the list was opened, to be lit for a moment. */
  arrived: ReadonlySet<string>
  isPending: boolean
  error: unknown
  /** The list stands, but is not kept up to date just now. */
  isStale: boolean
  canLoadMore: boolean
  isLoadingMore: boolean
  loadMoreError: unknown
  loadMore: () => void
  reload: () => void
}

/** The list going back by pages, and forward by looking every few seconds for what is new. */
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
    // What was found against the old list says nothing about the new one.
    queryClient.setQueryData<Newest>(newestKey, { rows: [], isWhole: true })
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
    if (found?.isWhole === false && !isReading) return reload()
    setArrivals((before) => arrive(before, found?.rows ?? [], listedIds, oldest, isReading))
    return undefined
    // `reload` is made anew each time and begins everything again: it must not set this off.
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

/** Another filter is another list: what came in for the old one is no part of it. */
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
