import { useQuery } from '@tanstack/react-query'
import type { ConsoleEvent } from '#console/contract'
import { eventsQuery, type EventsFilter } from '../../api/events.ts'
import { membersQuery } from '../../api/members.ts'
import type { Moment } from './moments.ts'

const bad = new Set(['warning', 'error', 'critical'])

/** The events of the console about a thing, such as changes of it, each with the name of who made it. */
export function useEvents(groupId: string, filter: EventsFilter): Moment[] {
  const members = useQuery(membersQuery(groupId)).data ?? []
  const nameOf = ({ metadata: { by } }: ConsoleEvent) => members.find(({ user_id }) => user_id === by)?.name
  const events = useQuery(eventsQuery(groupId, filter)).data ?? []
  return events.map((event) => ({
    at: event.created_at,
    title: event.title,
    by: nameOf(event),
    href: `/console?event=${event.id}&around=${event.id}`,
    tone: bad.has(event.severity) ? 'bad' : 'plain',
  }))
}
