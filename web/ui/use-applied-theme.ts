import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}

/** The applied theme, for canvases that CSS cannot style. */
export const useAppliedTheme = (): string =>
  useSyncExternalStore(subscribe, () => document.documentElement.dataset['theme'] ?? 'light')
