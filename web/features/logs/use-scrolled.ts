import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  addEventListener('scroll', listener, { passive: true })
  return () => removeEventListener('scroll', listener)
}

/** Whether the page is scrolled away from its top. */
export const useScrolled = (): boolean => useSyncExternalStore(subscribe, () => scrollY > 8)
