import { useSyncExternalStore } from 'react'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** The same names as in public/theme.js, which applies the theme. */
const storageKey = 'signalbox.theme'
const changed = 'signalbox:theme'

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, chosenTheme)
}

export function setTheme(theme: Theme): void {
  try {
    localStorage.setItem(storageKey, theme)
  } catch {
    // Without storage the system's theme stays.
  }
  dispatchEvent(new Event(changed))
}

function chosenTheme(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem(storageKey)) ?? 'system'
  } catch {
    return 'system'
  }
}

function subscribe(listener: () => void): () => void {
  addEventListener(changed, listener)
  addEventListener('storage', listener)
  return () => {
    removeEventListener(changed, listener)
    removeEventListener('storage', listener)
  }
}
