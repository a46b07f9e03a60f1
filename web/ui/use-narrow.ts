import { useSyncExternalStore } from 'react'

/** The width below which tables become cards; the same as in the style sheet. */
const query = matchMedia('(width < 48rem)')

function subscribe(listener: () => void): () => void {
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether there is no room for a table: for what the style sheet alone cannot decide. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => query.matches)
