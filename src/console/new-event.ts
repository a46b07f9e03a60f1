import { createHash } from 'node:crypto'
import { dayMs, newEventId } from './event-id.ts'
import type { EventDraft, NewEvent } from './event.ts'

/** Clocks of producers may be ahead; there is a table for tomorrow. */
const maxAheadMs = dayMs

/**
 * Gives a draft its group, id and time. A time that has no table is replaced and remains in the metadata: one before
 * what is kept by the earliest that is, so that it does not look new; one in the future by the time of arrival.
 */
export function newEvent(draft: EventDraft, groupId: string, keptFrom: number, now = Date.now()): NewEvent {
  const { at, sent, ...event } = draft
  const isStorable = at === null || (at >= keptFrom && at <= now + maxAheadMs)
  return {
    ...event,
    id: newEventId(isStorable ? (at ?? now) : at < keptFrom ? keptFrom : now),
    groupId,
    key: sent && keyOf(groupId, sent),
    ...(!isStorable && { metadata: { ...event.metadata, original_time: timeText(at) } }),
  }
}

function keyOf(groupId: string, { source, id }: { source: string; id: string }): string {
  return createHash('sha256')
    .update(JSON.stringify([groupId, source, id]))
    .digest('hex')
}

function timeText(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString()
}
