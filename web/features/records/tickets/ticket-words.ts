import type { Ticket, TicketStatus } from '#records/contract'
import type { Tone } from '../../../ui/badge.tsx'

export const statusNames: Record<TicketStatus, string> = {
  open: 'Open',
  in_progress: 'In progress',
  done: 'Done',
  cancelled: 'Cancelled',
}

export const ticketStatuses = Object.keys(statusNames) as TicketStatus[]

export const statusTones: Record<TicketStatus, Tone> = {
  open: 'neutral',
  in_progress: 'info',
  done: 'success',
  cancelled: 'neutral',
}

export const priorities = ['urgent', 'high', 'medium', 'low'] as const

export const priorityTone = (priority: string): Tone =>
  priority === 'urgent' ? 'danger' : priority === 'high' ? 'accent' : 'neutral'

const staleAfter = 14 * 86_400_000

/** Open, and nothing happened for 14 days: the same rule as in the analytics. */
export const isStale = ({ status, last_activity_at }: Ticket, now: number): boolean =>
  (status === 'open' || status === 'in_progress') && now - Date.parse(last_activity_at) > staleAfter

export const allStatuses = 'all'
export const unfinished = 'open,in_progress'
