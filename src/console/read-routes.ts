import { z } from 'zod'
import type pg from 'pg'
import { invalidField, notFound } from '#kernel/errors'
import { groupOf, principalOf, type Http } from '#kernel/http'
import { cutPage, groupId, readOffset } from '#kernel/paging'
import { consoleEvent, eventList, eventStats, searchList } from './contract.ts'
import { isEventId } from './event-id.ts'
import { toJson, type StoredEvent } from './event.ts'
import type { EventFilter } from './filter.ts'
import { parseCursor, parseFilter } from './query.ts'
import { listQuery, maxHours, searchQuery, statsQuery } from './read-queries.ts'
import { findEvent, listAfter, listEvents } from './store/event-store.ts'
import { listByMetadata } from './store/metadata-list.ts'
import { searchEvents } from './store/search-store.ts'
import { readStats } from './store/stats-store.ts'

const tags = ['Console']
const read = { needs: 'read', inGroup: true } as const
const hourMs = 3_600_000
const eventId = z.object({
  id: z
    .string()
    .meta({ description: 'The id of the event.', examples: ['0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f'] }),
})

export function readRoutes(app: Http, pool: pg.Pool): void {
  app.get(
    '/api/console/events',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listEvents',
        summary: 'List events',
        description:
          'Newest first. With `metadata` a page compares 20,000 events: it may have fewer events than asked for, or none, and still a `next_cursor`.',
        querystring: listQuery,
        response: { 200: eventList },
      },
    },
    async (request) => {
      const { limit, cursor, around, newer_than } = request.query
      const filter = parseFilter(groupOf(request).id, request.query)
      if ([cursor, around, newer_than].filter((given) => given !== undefined).length > 1)
        throw invalidField('cursor', 'cannot be combined with around or newer_than')
      if (filter.metadata.length > 0) {
        // Beside these the number of events that are compared would have no bound.
        if (around !== undefined || newer_than !== undefined)
          throw invalidField('metadata', 'cannot be combined with around or newer_than')
        const found = await listByMetadata(pool, filter, { before: parseCursor(cursor), limit })
        return { data: found.events.map(toJson), next_cursor: found.nextCursor }
      }
      const newerThan = parseCursor(newer_than, 'newer_than')
      if (newerThan !== null) return toPage(await listAfter(pool, filter, newerThan, limit), false)
      const middle = parseCursor(around, 'around')
      if (middle !== null) return surroundings(pool, filter, middle, limit)
      const events = await listEvents(pool, filter, { before: parseCursor(cursor), limit: limit + 1 })
      return cutPage(events, limit, ({ id }) => id, toJson)
    },
  )

  app.get(
    '/api/console/events/:id',
    {
      config: read,
      schema: {
        tags,
        operationId: 'getEvent',
        summary: 'Get an event',
        params: eventId,
        querystring: z.object(groupId),
        response: { 200: consoleEvent },
      },
    },
    async (request) => {
      // What an id names does not exist for those who have no group.
      if (principalOf(request).groups.length === 0) throw notFound('The event')
      const group = groupOf(request)
      const event = isEventId(request.params.id)
        ? await findEvent(pool, group.id, request.params.id)
        : undefined
      if (!event) throw notFound('The event')
      return toJson(event)
    },
  )

  app.get(
    '/api/console/search',
    {
      config: { ...read, forRuns: true },
      schema: {
        tags,
        operationId: 'searchEvents',
        summary: 'Search events by their words',
        description: 'Searches titles and messages.',
        querystring: searchQuery,
        response: { 200: searchList },
      },
    },
    async (request) => {
      const { q, sort, limit, cursor } = request.query
      const filter = parseFilter(groupOf(request).id, request.query)
      const offset = sort === 'rank' ? readOffset(cursor, maxOffset) : 0
      const before = sort === 'time' ? parseCursor(cursor) : null
      const found = await searchEvents(pool, filter, { text: q, before, offset, sort, limit: limit + 1 })
      const shown = found.slice(0, limit)
      const next = sort === 'rank' ? String(offset + limit) : (shown.at(-1)?.event.id ?? null)
      return {
        data: shown.map(({ event, rank, highlight }) => ({ ...toJson(event), rank, highlight })),
        next_cursor: found.length > limit ? next : null,
      }
    },
  )

  app.get(
    '/api/console/stats',
    {
      config: read,
      schema: {
        tags,
        operationId: 'getEventStatistics',
        summary: 'Count events by type, severity, service and time',
        querystring: statsQuery,
        response: { 200: eventStats },
      },
    },
    async (request) => {
      const filter = parseFilter(groupOf(request).id, request.query)
      const until = filter.until ?? Date.now()
      const since = filter.since ?? until - request.query.hours * hourMs
      if (until <= since || until - since > maxHours * hourMs)
        throw invalidField('since', `must be at most ${maxHours} hours before until`)
      const hours = Math.round(((until - since) / hourMs) * 1_000) / 1_000
      return { hours, ...(await readStats(pool, filter, { since, until }, request.query.q)) }
    },
  )
}

function toPage(events: readonly StoredEvent[], hasMore: boolean) {
  return { data: events.map(toJson), next_cursor: hasMore ? (events.at(-1)?.id ?? null) : null }
}

/** Half of the events after one, itself, and the rest before it. */
async function surroundings(pool: pg.Pool, filter: EventFilter, id: string, limit: number) {
  const event = await findEvent(pool, filter.groupId, id)
  if (!event) throw notFound('The event')
  const half = Math.floor(limit / 2)
  const newer = half === 0 ? [] : await listAfter(pool, filter, id, half)
  const room = limit - newer.length
  const older = await listEvents(pool, filter, { before: id, limit: room })
  return toPage([...newer, event, ...older.slice(0, room - 1)], older.length === room)
}

const maxOffset = 2_000
