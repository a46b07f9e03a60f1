import type { TicketStatus } from '#records/contract'
import { readTexts } from '../address.ts'
import { ticketStatuses } from './ticket-words.ts'

export interface TicketsAddress {
  view?: 'board'
  /** One or more, separated by commas. */
  status?: string
  priority?: string
  assignee?: string
  since?: string
  until?: string
  /** The period in which they were completed. */
  completed_since?: string
  completed_until?: string
  /** Only those without activity for this many days. */
  stale_days?: string
  /** The form for a new one is open. */
  new?: true
}

/** The search parameters of the page; unknown ones are dropped. */
export function readTicketsAddress(search: Record<string, unknown>): TicketsAddress {
  const { status, ...texts } = readTexts(search, [
    ...(['status', 'priority', 'assignee', 'since', 'until'] as const),
    ...(['completed_since', 'completed_until', 'stale_days'] as const),
  ])
  const statuses = status?.split(',').filter((word) => ticketStatuses.includes(word as TicketStatus))
  return {
    ...texts,
    ...(statuses && statuses.length > 0 && { status: statuses.join(',') }),
    ...(search['view'] === 'board' && { view: 'board' }),
    ...(search['new'] === true && { new: true }),
  }
}
