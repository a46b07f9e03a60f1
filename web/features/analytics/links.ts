import { daysAfter } from '../../ui/days.ts'
import { isoTime } from '../../ui/input-time.ts'
import type { AnalyticsAddress } from './analytics-address.ts'

export interface RecordsLink {
  to: string
  search: Record<string, unknown>
}

export interface Span {
  from: string
  to: string
}

/** Deployments that ended in the span, as the analytics count them. */
export function deploymentsLink(
  { from, to }: Span,
  { service }: AnalyticsAddress,
  more: Record<string, unknown> = {},
): RecordsLink {
  return {
    to: '/deployments',
    search: { ended_since: from, ended_until: to, ...(service !== undefined && { service }), ...more },
  }
}

export const createdTicketsLink = ({ from, to }: Span): RecordsLink => ({
  to: '/tickets',
  search: { since: from, until: to },
})

export const completedTicketsLink = ({ from, to }: Span): RecordsLink => ({
  to: '/tickets',
  search: { status: 'done', completed_since: from, completed_until: to },
})

export function devlogsLink(
  { from, to }: Span,
  { service }: AnalyticsAddress,
  more: Record<string, unknown> = {},
): RecordsLink {
  return {
    to: '/devlogs',
    search: { since: from, until: to, ...(service !== undefined && { service_id: service }), ...more },
  }
}

export function incidentsLink({ from, to }: Span, { service }: AnalyticsAddress): RecordsLink {
  return { to: '/incidents', search: { since: from, until: to, ...(service !== undefined && { service }) } }
}

/** `count` days from a date on, as far as they lie in the period. */
export function daysOf(date: string, { from, to }: Span, count = 1): Span {
  const [start, end] = [date, daysAfter(date, count)].map((day) => isoTime(`${day}T00:00`) ?? '')
  return { from: start! > from ? start! : from, to: end! < to ? end! : to }
}

/** An hour, as far as it lies in the period. */
export function hourOf(at: string, { from, to }: Span): Span {
  const end = new Date(Date.parse(at) + 3_600_000).toISOString()
  return { from: at > from ? at : from, to: end < to ? end : to }
}
