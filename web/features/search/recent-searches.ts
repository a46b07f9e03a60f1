import { useSyncExternalStore } from 'react'

export interface AskedSearch {
  query: string
  kinds: readonly string[]
}

const maxRecent = 8
const changed = 'signalbox:recent-searches'
const keyOf = (groupId: string): string => `signalbox.recent-searches.${groupId}`
const none = '[]'

/** The latest searches of a group that found something, kept by this browser, newest first. */
export function useRecentSearches(groupId: string): AskedSearch[] {
  return parse(useSyncExternalStore(subscribe, () => stored(groupId)))
}

/** What was typed on the way to a query is not a search of its own. */
export function rememberSearch(groupId: string, search: AskedSearch): void {
  const others = parse(stored(groupId)).filter(({ query }) => !search.query.startsWith(query))
  write(groupId, [search, ...others].slice(0, maxRecent))
}

export function forgetSearches(groupId: string): void {
  write(groupId, [])
}

function write(groupId: string, searches: readonly AskedSearch[]): void {
  try {
    localStorage.setItem(keyOf(groupId), JSON.stringify(searches))
  } catch {
    // Without storage there are no recent searches.
  }
  dispatchEvent(new Event(changed))
}

function stored(groupId: string): string {
  try {
    return localStorage.getItem(keyOf(groupId)) ?? none
  } catch {
    return none
  }
}

export function parse(text: string): AskedSearch[] {
  try {
    const read: unknown = JSON.parse(text)
    return Array.isArray(read) ? read.filter(isSearch) : []
  } catch {
    return []
  }
}

const isSearch = (value: unknown): value is AskedSearch =>
  typeof value === 'object' &&
  value !== null &&
  'query' in value &&
  typeof value.query === 'string' &&
  'kinds' in value &&
  Array.isArray(value.kinds) &&
  value.kinds.every((kind) => typeof kind === 'string')

function subscribe(listener: () => void): () => void {
  addEventListener(changed, listener)
  addEventListener('storage', listener)
  return () => {
    removeEventListener(changed, listener)
    removeEventListener('storage', listener)
  }
}
