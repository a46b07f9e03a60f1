import { useSyncExternalStore } from 'react'

interface TableViews {
  /** Whether rows are close together, in all tables. */
  isCompact: boolean
  /** The columns that the reader has hidden, by the label of the table. */
  hidden: Readonly<Record<string, readonly string[]>>
}

const storageKey = 'signalbox.tables'
const usual: TableViews = { isCompact: false, hidden: {} }
const listeners = new Set<() => void>()
let current: TableViews | undefined

function read(): TableViews {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Partial<TableViews> | null
    const hidden = Object.entries(stored?.hidden ?? {}).filter(([, names]) => Array.isArray(names))
    return { isCompact: stored?.isCompact === true, hidden: Object.fromEntries(hidden) }
  } catch {
    return usual
  }
}

const get = (): TableViews => (current ??= read())

function set(next: TableViews): void {
  current = next
  try {
    localStorage.setItem(storageKey, JSON.stringify(next))
  } catch {
    // Without storage the choice lasts until the page is reloaded.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** How a reader wants to see a table. Remembered by this browser. */
export function useTableView(label: string) {
  const { isCompact, hidden } = useSyncExternalStore(subscribe, get)
  const mine = hidden[label] ?? []
  return {
    isCompact,
    hidden: mine,
    toggleCompact: () => set({ ...get(), isCompact: !isCompact }),
    toggle: (column: string) => {
      const names = mine.includes(column) ? mine.filter((name) => name !== column) : [...mine, column]
      set({ ...get(), hidden: { ...hidden, [label]: names } })
    },
  }
}
