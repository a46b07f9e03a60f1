import { useState } from 'react'

const storageKey = 'signalbox.folded-sections'

function read(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter((title) => typeof title === 'string') : []
  } catch {
    return []
  }
}

/** Which sections of the navigation this browser has folded. */
export function useFoldedSections(): [ReadonlySet<string>, (title: string) => void] {
  const [folded, setFolded] = useState(() => new Set(read()))
  const toggle = (title: string) => {
    const next = new Set(folded)
    if (!next.delete(title)) next.add(title)
    setFolded(next)
    try {
      localStorage.setItem(storageKey, JSON.stringify([...next]))
    } catch {
      // Without storage the choice lasts until the page is reloaded.
    }
  }
  return [folded, toggle]
}
