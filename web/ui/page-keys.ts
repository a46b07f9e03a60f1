import { useEffect, useSyncExternalStore } from 'react'
import type { KeyGroup } from './key-sheet.tsx'

const listeners = new Set<() => void>()
const none: readonly KeyGroup[] = []
let current = none

function set(groups: readonly KeyGroup[]): void {
  current = groups
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Lists the shortcuts of a page in the sheet behind `?`, while the page is shown. */
export function usePageKeys(groups: readonly KeyGroup[]): void {
  useEffect(() => {
    set(groups)
    return () => set(none)
  }, [groups])
}

/** The shortcuts of the page that is shown. */
export const useShownKeys = (): readonly KeyGroup[] => useSyncExternalStore(subscribe, () => current)

const asked = 'signalbox:keys'

/** Opens the sheet. */
export const showKeys = (): void => void dispatchEvent(new Event(asked))

export function useKeysAsked(act: () => void): void {
  useEffect(() => {
    addEventListener(asked, act)
    return () => removeEventListener(asked, act)
  }, [act])
}
