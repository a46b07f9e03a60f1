import { useState } from 'react'
import { usualColumns } from './columns.tsx'

const storageKey = 'signalbox.log-columns'

function read(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : usualColumns
  } catch {
    return usualColumns
  }
}

/** Which columns the table has. Remembered by this browser. */
export function useColumns(): [readonly string[], (chosen: readonly string[]) => void] {
  const [chosen, setChosen] = useState(read)
  const choose = (next: readonly string[]) => {
    setChosen(next)
    try {
      localStorage.setItem(storageKey, JSON.stringify(next))
    } catch {
      // Without storage the choice lasts until the page is reloaded.
    }
  }
  return [chosen, choose]
}
