import { daysAfter } from '../../ui/days.ts'
import type { RecordsLink } from '../../ui/chart-links.tsx'
import { isoTime } from '../../ui/input-time.ts'
import { unfinishedText } from '../../ui/unfinished.ts'
import type { AnalyticsAddress } from './analytics-address.ts'

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
export const daysOf = (date: string, period: Span, count = 1): Span => within(wholeDays(date, count), period)

/** All of the days, also what lies outside the period. */
export function wholeDays(date: string, count = 1): Span {
  const [from = '', to = ''] = [date, daysAfter(date, count)].map((day) => isoTime(`${day}T00:00`) ?? '')
  return { from, to }
}

/** Names a step, and says where the period has only a part of it: its figures are lower than they will be. */
export function stepText(text: string, whole: Span, { from, to }: Span): string {
  const end = Date.parse(whole.to)
  if (end > Date.parse(to)) return unfinishedText(text, end, Date.parse(to))
  return Date.parse(whole.from) < Date.parse(from) ? `${text} (in part)` : text
}

const within = (span: Span, { from, to }: Span): Span => ({
  from: span.from > from ? span.from : from,
  to: span.to < to ? span.to : to,
})

/** An hour, as far as it lies in the period. */
export const hourOf = (at: string, period: Span): Span => within(wholeHour(at), period)

export const wholeHour = (at: string): Span => ({
  from: at,
  to: new Date(Date.parse(at) + 3_600_000).toISOString(),
})
