import { useEffect, useMemo, useState } from 'react'
import type { EventList } from './event-list.ts'

export interface Pause {
  /** The user said so, or has scrolled down. */
  isPaused: boolean
  pause: () => void
  resume: () => void
  setScrolled: (isScrolled: boolean) => void
}

/** The list stands still when the user says so, has scrolled down, or reads an event. */
export function usePause(list: EventList, isReading: boolean): Pause {
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
