import { useInfiniteQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'
import { ListSkeleton } from '../../../ui/skeleton.tsx'
import { useNarrow } from '../../../ui/use-narrow.ts'
import { sessionsQuery } from '../transcript-queries.ts'
import type { TranscriptFilter } from '../transcripts-address.ts'
import { FirstSession } from './first-session.tsx'
import { SessionCards } from './session-cards.tsx'
import { SessionTable } from './session-table.tsx'

interface SessionListProps {
  groupId: string
  filter: TranscriptFilter
  onClear: () => void
}

/** Newest activity first. A running session moves to the top. */
export function SessionList({ groupId, filter, onClear }: SessionListProps) {
  const query = useInfiniteQuery({ ...sessionsQuery(groupId, filter), refetchInterval: 5000 })
  const isNarrow = useNarrow()
  if (query.error) return <FailureNotice error={query.error} onRetry={() => query.refetch()} />
  if (!query.data) return <ListSkeleton rows={6} />
  const sessions = query.data.pages.flatMap(({ data }) => data)
  if (sessions.length === 0)
    return Object.keys(filter).length === 0 ? (
      <FirstSession groupId={groupId} />
    ) : (
      <EmptyState
        icon={SearchX}
        title="No matching sessions"
        action={<Button onClick={onClear}>Clear filters</Button>}
      >
        No session matches all of these filters. Remove one of them or choose a longer time range.
      </EmptyState>
    )
  return (
    <div aria-busy={query.isPlaceholderData} className={query.isPlaceholderData ? 'opacity-60' : ''}>
      {isNarrow ? <SessionCards sessions={sessions} /> : <SessionTable sessions={sessions} />}
      {query.hasNextPage && (
        <div className="flex justify-center pt-4">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </div>
  )
}
