import { useCallback, useMemo } from 'react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import {
  addressOf,
  filterOf,
  periodAddress,
  periodOf,
  readConsoleAddress,
  type ConsoleAddress,
} from './console-address.ts'
import type { ConsoleFilter } from './console-filter.ts'
import type { Period } from '../../ui/period.ts'

export interface ConsoleLocation {
  filter: ConsoleFilter
  period: Period
  event: string | undefined
  around: string | undefined
  /** What a saved view keeps: the address without the open event. */
  query: string
  setFilter: (filter: ConsoleFilter, isTyping?: boolean) => void
  setPeriod: (period: Period) => void
  openEvent: (id: string | undefined) => void
  /** Shows all events around this one. */
  showAround: (id: string) => void
  leaveAround: () => void
  clear: () => void
  openQuery: (query: string) => void
}

/** The filter lives in the address, so that it can be shared and undone with the back button. */
export function useConsoleLocation(source: string | undefined): ConsoleLocation {
  const search = useSearch({ strict: false }) as ConsoleAddress
  const key = JSON.stringify(search)
  const navigate = useNavigate()
  const address = useMemo(() => readConsoleAddress(JSON.parse(key) as Record<string, unknown>), [key])
  const filter = useMemo(() => filterOf(address, source), [address, source])
  const period = useMemo(() => periodOf(address), [address])

  const go = useCallback(
    (next: ConsoleAddress, replace = false) => {
      // The page of a source is left when its source is no longer the only one.
      if (source !== undefined && next.source === source) {
        const { source: _, ...rest } = next
        return void navigate({
          to: '/console/$source',
          params: { source },
          search: rest,
          replace,
          resetScroll: false,
        })
      }
      return void navigate({ to: '/console', search: next, replace, resetScroll: false })
    },
    [navigate, source],
  )
  return useMemo(() => {
    const current = { ...addressOf(filter), ...periodAddress(period) }
    const { source: _, ...withoutSource } = current
    const saved = source === undefined ? current : { ...withoutSource, source }
    const { event, around } = address
    return {
      filter,
      period,
      event,
      around,
      query: new URLSearchParams(Object.entries(saved)).toString(),
      setFilter: (next, isTyping) => go({ ...addressOf(next), ...periodAddress(period) }, isTyping),
      setPeriod: (next) => go({ ...addressOf(filter), ...periodAddress(next) }),
      openEvent: (id) =>
        go(
          { ...current, ...(around !== undefined && { around }), ...(id !== undefined && { event: id }) },
          true,
        ),
      showAround: (id) => go({ ...current, event: id, around: id }),
      leaveAround: () => go(current),
      clear: () => go({}),
      openQuery: (query) => go(readConsoleAddress(Object.fromEntries(new URLSearchParams(query)))),
    }
  }, [address, filter, period, source, go])
}
