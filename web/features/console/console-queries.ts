import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ConsoleEvent } from '#console/contract'
import { call, type Given, type Response } from '../../api/client.ts'
import type { ConsoleFilter } from './console-filter.ts'
import { addressOf } from './console-address.ts'
import type { EventPage } from './event-list.ts'
import { spanOf, type Period } from '../../ui/period.ts'

const pageLength = 100

type Parameters = NonNullable<Given<'GET', '/api/console/events'>['query']>
type Events = Response<'GET', '/api/console/events' | '/api/console/search'>['data']

/** Pages that may be empty although there are more events, before the reader is asked. */
const maxEmptyPages = 10

/** The pages of a filtered list, or of a search if the filter has a query. */
export function pagesOf(filter: ConsoleFilter, limits: () => { since?: string; until?: string }) {
  /** Where the list continues behind an event: a filter by metadata may have compared more than it found. */
  const cursors = new Map<string, string>()
  const fetchPage = async (cursor: string | undefined, than?: ConsoleEvent): Promise<EventPage> => {
    let [next, events] = [cursor, [] as Events]
    for (let page = 0; page < maxEmptyPages; page++) {
      const query = { ...addressOf(filter), ...limits(), cursor: next, limit: pageLength }
      const found =
        filter.q === undefined
          ? await call('GET', '/api/console/events', { query })
          : await call('GET', '/api/console/search', { query: { ...query, q: filter.q } })
      ;[next, events] = [found.next_cursor ?? undefined, found.data]
      if (events.length > 0 || next === undefined) break
    }
    const last = events.at(-1) ?? than
    if (last && next !== undefined) cursors.set(last.id, next)
    return { events, hasMore: next !== undefined }
  }
  return {
    first: () => fetchPage(undefined),
    older: (than: ConsoleEvent) => fetchPage(cursors.get(than.id) ?? than.id, than),
  }
}

/** All events around one, whatever the filter was. */
export function pagesAround(id: string) {
  const fetchPage = (more: Parameters) =>
    call('GET', '/api/console/events', { query: { ...more, limit: pageLength } })
  const downward = async (more: Parameters): Promise<EventPage> => {
    const found = await fetchPage(more)
    return { events: found.data, hasMore: found.next_cursor !== null }
  }
  return {
    first: () => downward({ around: id }),
    older: (than: ConsoleEvent) => downward({ cursor: than.id }),
    newer: async (than: ConsoleEvent): Promise<EventPage> => {
      const { data } = await fetchPage({ newer_than: than.id })
      return { events: data, hasMore: data.length === pageLength }
    },
  }
}

export const eventQuery = (groupId: string, id: string) =>
  queryOptions({
    queryKey: ['console', groupId, 'event', id],
    queryFn: () => call('GET', '/api/console/events/{id}', { path: { id } }),
    staleTime: Infinity,
  })

/** Counts for the histogram and the filters. They do not know metadata. */
export const statsQuery = (groupId: string, chosen: ConsoleFilter, period: Period, isLive: boolean) => {
  const { metadata: _, ...filter } = chosen
  return queryOptions({
    queryKey: ['console', groupId, 'stats', filter, period],
    queryFn: () => {
      const { from, to } = spanOf(period, Date.now())
      const limits = { since: new Date(from).toISOString(), until: new Date(to).toISOString() }
      return call('GET', '/api/console/stats', { query: { ...addressOf(filter), ...limits } })
    },
    placeholderData: keepPreviousData,
    // A search is a snapshot, and its counts are one with its list.
    refetchInterval: isLive && filter.q === undefined ? 5000 : false,
  })
}

/** The values that the filters offer: also those that the filter leaves out. */
export const facetsQuery = (groupId: string, period: Period) => statsQuery(groupId, {}, period, false)

/** Whether there ever was an event, of this source if one is given. Counts are kept longer than events. */
export const hasEventsQuery = (groupId: string, source: string | undefined) =>
  queryOptions({
    queryKey: ['console', groupId, 'has-events', source ?? null],
    queryFn: async () =>
      (await call('GET', '/api/console/stats', { query: { source, hours: 8760 } })).total > 0,
  })

export const viewsQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['console', groupId, 'views'],
    queryFn: async () => (await call('GET', '/api/console/views')).data,
  })

export const saveView = (body: { name: string; query: string }) =>
  call('POST', '/api/console/views', { body })

export const deleteView = (id: string) => call('DELETE', '/api/console/views/{id}', { path: { id } })

export const reporterQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['console', groupId, 'reporter'],
    queryFn: () => call('GET', '/api/console/reporter'),
  })

export const setReporter = (body: { enabled: boolean; origins: string[] }) =>
  call('PUT', '/api/console/reporter', { body })
