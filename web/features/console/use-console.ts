import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { exclude, include, type Field } from './console-filter.ts'
import { usualPeriod } from './console-address.ts'
import type { EventList } from './event-list.ts'
import { wordsOf } from './pieces.ts'
import { useConsoleLocation, type ConsoleLocation } from './use-console-location.ts'
import { useEventList } from './use-event-list.ts'

/** What the parts of the page share. */
export interface ConsoleContext {
  groupId: string
  source: string | undefined
  at: ConsoleLocation
  list: EventList
  /** The list is of the filter before: the new one is loading. */
  isStale: boolean
  pause: Pause
  /** The words of the search, to mark. */
  words: readonly string[]
  /** Whether the address narrows the list beyond the page's own source. */
  isNarrowed: boolean
  searchField: RefObject<HTMLInputElement | null>
  /** Brings the row with this index into view. */
  showRow: RefObject<(index: number) => void>
  onOpen: (id: string) => void
  onFilter: (field: Field, value: string, isExcluded: boolean) => void
  /** Follows live events at the top of the list. */
  goToNewest: () => void
}

export function useConsole(groupId: string, source: string | undefined): ConsoleContext {
  const at = useConsoleLocation(source)
  const { filter, period, event, around } = at
  const input = { groupId, filter, period, ...(around !== undefined && { around }) }
  const { list, isStale } = useEventList(input)
  const pause = usePause(list, event !== undefined)
  const current = useRef(at)
  useEffect(() => void (current.current = at))
  // These two are given to every row: the same functions as long as the page is open.
  const onFilter = useCallback((field: Field, value: string, isExcluded: boolean) => {
    const { filter, setFilter } = current.current
    setFilter(isExcluded ? exclude(filter, field, value) : include(filter, field, value))
  }, [])
  const onOpen = useCallback((id: string) => current.current.openEvent(id), [])
  const goToNewest = () => {
    if (around !== undefined) at.leaveAround()
    // A period that has ended gets no new events.
    else if (period.until !== undefined) at.setPeriod(usualPeriod)
    else if (event !== undefined) at.openEvent(undefined)
    pause.resume()
    scrollTo({ top: 0 })
  }
  return {
    groupId,
    source,
    at,
    list,
    isStale,
    pause,
    words: useMemo(() => wordsOf(filter.q ?? ''), [filter.q]),
    isNarrowed: at.query !== '' && at.query !== `source=${source}`,
    searchField: useRef<HTMLInputElement>(null),
    showRow: useRef<(index: number) => void>(() => undefined),
    onOpen,
    onFilter,
    goToNewest,
  }
}

interface Pause {
  /** The user said so, or has scrolled down. */
  isPaused: boolean
  pause: () => void
  resume: () => void
  setScrolled: (isScrolled: boolean) => void
}

/** The list stands still when the user says so, has scrolled down, or reads an event. */
function usePause(list: EventList, isReading: boolean): Pause {
  const [isHeld, setHeld] = useState(false)
  const [isScrolled, setScrolled] = useState(false)
  const isPaused = isHeld || isScrolled
  useEffect(() => list.setPaused(isPaused || isReading), [list, isPaused, isReading])
  return useMemo(
    () => ({
      isPaused,
      pause: () => setHeld(true),
      resume: () => {
        setHeld(false)
        setScrolled(false)
      },
      setScrolled,
    }),
    [isPaused],
  )
}
