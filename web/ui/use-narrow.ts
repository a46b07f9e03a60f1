import { useSyncExternalStore } from 'react'

/** The width below which tables become cards; the same as in the style sheet. */
const query = matchMedia('(width < 48rem)')

function subscribe(listener: () => void): () => void {
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the screen is too narrow for tables, where CSS alone is not enough. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => query.matches)
