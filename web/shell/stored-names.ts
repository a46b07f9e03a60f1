import { useState } from 'react'

function read(key: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}

/** A set of names that this browser keeps under the key; the function adds a name or takes it out. */
export function useStoredNames(key: string): [ReadonlySet<string>, (name: string) => void] {
  const [names, setNames] = useState(() => new Set(read(key)))
  const toggle = (name: string) => {
    const next = new Set(names)
    if (!next.delete(name)) next.add(name)
    setNames(next)
    try {
      localStorage.setItem(key, JSON.stringify([...next]))
    } catch {
      // Without storage the choice lasts until the page is reloaded.
    }
  }
  return [names, toggle]
}
