import { groupOfAddress } from './addressed-group.ts'

const storageKey = 'signalbox.group'
const listeners = new Set<() => void>()
let current = read()

/** The group every call acts in; null leaves the choice to the server. Remembered by this browser. */
export const selectedGroup = {
  get: () => current,
  set: (id: string | null): void => {
    current = id
    try {
      if (id === null) localStorage.removeItem(storageKey)
      else localStorage.setItem(storageKey, id)
    } catch {
      // Without storage the choice lasts until the page is reloaded.
    }
    for (const listener of listeners) listener()
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** The address comes first: a link opens its group, also after signing in. */
function read(): string | null {
  // Without a page there is no address.
  const addressed = 'location' in globalThis ? groupOfAddress(location.search) : null
  try {
    if (addressed !== null) localStorage.setItem(storageKey, addressed)
    return addressed ?? localStorage.getItem(storageKey)
  } catch {
    return addressed
  }
}
