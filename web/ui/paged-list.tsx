import type { ReactNode } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Button } from './button.tsx'
import { FailureNotice } from './notice.tsx'
import { ListSkeleton } from './skeleton.tsx'
import type { ListPages } from '../api/pages.ts'

interface PagedListProps<Item> {
  query: ListPages<Item>
  /** Shown in place of an empty list. */
  empty: ReactNode
  /** How often to look for changes, in milliseconds. */
  every?: number
  children: (items: Item[]) => ReactNode
}

/** A list with its loading, error and empty states, and a button for the next page. */
export function PagedList<Item>({ query, empty, every, children }: PagedListProps<Item>) {
  const list = useInfiniteQuery({ ...query, refetchInterval: every ?? false })
  const items = list.data?.pages.flatMap(({ data }) => data)
  return (
    <div className="space-y-3">
      {list.error && <FailureNotice error={list.error} onRetry={() => list.refetch()} />}
      {list.isPending && <ListSkeleton />}
      {items && (items.length === 0 ? empty : children(items))}
      {list.hasNextPage && (
        <div className="flex justify-center">
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </div>
  )
}
