import { queryOptions } from '@tanstack/react-query'
import type { ConsoleEvent } from '#console/contract'
import { call } from './client.ts'

/** Values of the metadata, and what narrows the events that are compared with them. */
export interface EventsFilter {
  type?: string
  service?: string
  metadata?: Readonly<Record<string, string>>
}

const wanted = 50
/** Metadata has no index: a page may be empty although older events match. */
const maxPages = 5

/** The newest events of a filter. */
export const eventsQuery = (groupId: string, { metadata, ...filter }: EventsFilter) =>
  queryOptions({
    queryKey: ['console', groupId, 'of', filter, metadata],
    queryFn: async () => {
      const found: ConsoleEvent[] = []
      let cursor: string | undefined
      for (let page = 0; page < maxPages && found.length < wanted; page++) {
        const query = { ...filter, metadata: metadata && termsOf(metadata), limit: wanted, cursor }
        const { data, next_cursor: next } = await call('GET', '/api/console/events', { query })
        found.push(...data)
        if (next === null) break
        cursor = next
      }
      return found
    },
  })

const termsOf = (metadata: Readonly<Record<string, string>>): string =>
  Object.entries(metadata)
    .map(([name, value]) => `${encodeURIComponent(name)}:${encodeURIComponent(value)}`)
    .join(',')
