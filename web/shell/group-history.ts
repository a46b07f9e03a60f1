import { createBrowserHistory, type HistoryLocation } from '@tanstack/react-router'
import { groupOfAddress, withGroup } from '../api/addressed-group.ts'
import { selectedGroup } from '../api/selected-group.ts'

let shown: string | null = null

const addressNow = (): string => location.pathname + location.search + location.hash

function parseLocation(): HistoryLocation {
  const { pathname, hash } = location
  const search = withGroup(location.search, null)
  return { href: pathname + search + hash, pathname, search, hash, state: history.state }
}

/** Addresses and links name the group, so that they open it for everybody; pages and their routes never see it. */
export const groupHistory = createBrowserHistory({
  createHref: (path) => withGroup(path, shown),
  parseLocation,
})

/** Puts the group into the address, or takes it out. */
export function showGroup(id: string | null): void {
  shown = id
  const { href, state } = groupHistory.location
  if (withGroup(href, id) !== addressNow()) groupHistory.replace(href, state)
}

/** Runs the action after a step back or forward to an address of another group, which is then the selected one. */
export function onGroupStep(act: () => void): void {
  addEventListener('popstate', () => {
    const id = groupOfAddress(location.search)
    if (id === null || id === selectedGroup.get()) return
    selectedGroup.set(id)
    act()
  })
}
