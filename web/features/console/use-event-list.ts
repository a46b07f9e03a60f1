import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { meQuery } from '../../api/session.ts'
import type { ConsoleFilter } from './console-filter.ts'
import { matches } from './matches.ts'
import { pagesAround, pagesOf } from './console-queries.ts'
import { EventList, type EventListState } from './event-list.ts'
import { joinLive } from './live/join.ts'
import { isOpenEnded, limitsOf, type Period } from '../../ui/period.ts'

/** What the list shows; two of the same content are the same list. */
interface ListInput {
  groupId: string
  filter: ConsoleFilter
  period: Period
  around?: string
}

/** At a high rate several updates a second are enough, and leave time for the reader's own input. */
const minInterval = 100

/** In an animation frame, so not while the tab is hidden. */
function scheduler(): (update: () => void) => void {
  let last = 0
  return (update) => {
    const inFrame = () =>
      requestAnimationFrame((now) => {
        last = now
        update()
      })
    const early = last + minInterval - performance.now()
    if (early > 0) setTimeout(inFrame, early)
    else inFrame()
  }
}

function createList({ groupId, filter, period, around }: ListInput): EventList {
  const schedule = scheduler()
  if (around !== undefined)
    return new EventList({ ...pagesAround(around), join: null, matches: () => true, schedule })
  return new EventList({
    ...pagesOf(filter, () => limitsOf(period, Date.now())),
    join: isOpenEnded(period) ? (listener) => joinLive(groupId, listener) : null,
    matches: (event) => matches(filter, event),
    isSnapshot: filter.q !== undefined,
    schedule,
  })
}

/** The list for this input. While a new one loads, the one before stays on the page. */
export function useEventList(input: ListInput): { list: EventList; isStale: boolean } {
  const key = JSON.stringify(input)
  const list = useMemo(() => createList(JSON.parse(key) as ListInput), [key])
  const [shown, setShown] = useState(list)
  const queryClient = useQueryClient()
  useEffect(() => {
    const update = () => {
      if (list.get().phase !== 'loading') setShown(list)
    }
    const forget = list.subscribe(update)
    const stop = list.start()
    return () => {
      forget()
      stop()
    }
  }, [list])
  const live = useListValue(shown, (state) => state.live)
  useEffect(() => {
    // Nobody is signed in any more, or the group is not theirs: loading the user shows which.
    if (live === 'refused') void queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
  }, [live, queryClient])
  return { list: shown, isStale: shown !== list }
}

/** A part of the list's state: only a change of this part renders the component. */
export const useListValue = <Value>(list: EventList, select: (state: EventListState) => Value): Value =>
  useSyncExternalStore(list.subscribe, () => select(list.get()))
