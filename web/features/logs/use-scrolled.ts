import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  addEventListener('scroll', listener, { passive: true })
  return () => removeEventListener('scroll', listener)
}

/** Whether the reader has left the top of the page. */
export const useScrolled = (): boolean => useSyncExternalStore(subscribe, () => scrollY > 8)
