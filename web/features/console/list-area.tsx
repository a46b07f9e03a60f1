import { SearchX } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import { EventListView } from './event-list-view.tsx'
import { NewEvents } from './list-bars.tsx'
import type { ConsoleContext } from './use-console.ts'
import { useListValue } from './use-event-list.ts'

/** The list, or what is there instead of it. */
export function ListArea({ context }: { context: ConsoleContext }) {
  const { at, list, isStale, goToNewest } = context
  const waiting = useListValue(list, (state) => state.waiting)
  const isSearch = at.filter.q !== undefined
  return (
    <>
      <NewEvents
        count={waiting}
        isSearch={isSearch}
        onShow={() => (isSearch ? void list.reload() : goToNewest())}
      />
      <div aria-busy={isStale} className={isStale ? 'opacity-60 transition-opacity' : ''}>
        <ListContent context={context} />
      </div>
    </>
  )
}

function ListContent({ context }: { context: ConsoleContext }) {
  const { at, list, isNarrowed } = context
  const phase = useListValue(list, (state) => state.phase)
  const error = useListValue(list, (state) => state.error)
  const hasMore = useListValue(list, (state) => state.canLoadOlder)
  const isEmpty = useListValue(list, ({ rows }) => rows.length === 0)
  const isAllTime = Object.keys(at.period).length === 0
  if (phase === 'failed') return <FailureNotice error={error} onRetry={() => list.reload()} />
  if (phase === 'loading') return <ListSkeleton rows={8} />
  if (isEmpty)
    return (
      <EmptyState
        icon={SearchX}
        title={isNarrowed ? 'No matching events' : 'No events in the last 24 hours'}
        action={
          <>
            {isNarrowed && <Button onClick={at.clear}>Clear filters</Button>}
            {!isAllTime && <Button onClick={() => at.setPeriod({})}>Show all time</Button>}
          </>
        }
      >
        {hasMore
          ? 'None of the newest 200,000 events has these values in its metadata. Choose an earlier time range to look further.'
          : !isNarrowed
            ? 'Choose a longer time range to see older ones.'
            : `No event matches the search and all of these filters. ${isAllTime ? 'Change the search or remove a filter.' : 'Remove a filter or choose a longer time range.'}`}
      </EmptyState>
    )
  return <EventListView context={context} />
}
