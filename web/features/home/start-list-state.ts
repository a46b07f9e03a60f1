const storageKey = (groupId: string): string => `signalbox.start-list.${groupId}`

/** Whether this browser showed the start list of the group, and nobody has left it yet. */
export function isStartListOpen(groupId: string): boolean {
  try {
    return localStorage.getItem(storageKey(groupId)) !== null
  } catch {
    return false
  }
}

export function keepStartList(groupId: string, isOpen: boolean): void {
  try {
    if (isOpen) localStorage.setItem(storageKey(groupId), 'open')
    else localStorage.removeItem(storageKey(groupId))
  } catch {
    // Without storage the list is shown until the page is reloaded.
  }
}
