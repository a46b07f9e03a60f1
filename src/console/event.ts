import type { ActivityType } from '#kernel/events'
import { timeOfId } from '#kernel/uuid'
import { severities, type ConsoleEvent } from './contract.ts'

/** An event as a producer sent it, read and checked, before it has a group and a time for certain. */
export interface EventDraft {
  /** Milliseconds; null: it happened on arrival. */
  at: number | null
  /** The producer's own id, which makes sending it again harmless. */
  sent: { source: string; id: string } | null
  type: ActivityType
  /** The place in `severities`. */
  severity: number
  source: string
  service: string | null
  title: string
  message: string
  metadata: Record<string, unknown>
}

/** An event that is ready to be stored. */
export interface NewEvent extends Omit<EventDraft, 'at' | 'sent'> {
  id: string
  groupId: string
  /** A hash of group, source and the producer's id. */
  key: string | null
}

export interface StoredEvent extends NewEvent {
  sequence: number
}

export function toJson(event: StoredEvent): ConsoleEvent {
  return {
    id: event.id,
    sequence: event.sequence,
    type: event.type,
    severity: severities[event.severity] ?? 'info',
    service: event.service,
    source: event.source,
    title: event.title,
    message: event.message,
    metadata: event.metadata,
    created_at: timeOfId(event.id).toISOString(),
    group_id: event.groupId,
  }
}
