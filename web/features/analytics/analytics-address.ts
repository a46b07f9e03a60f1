import { daysBetween, isDay } from '../../ui/days.ts'

export const ranges = ['24h', '7d', '30d'] as const
export type Range = (typeof ranges)[number]

export interface AnalyticsAddress {
  range?: Range
  /** Two days make a custom period; both are included. */
  from?: string
  to?: string
  service?: string
}

/** The most days that the server calculates at once. */
const maxDays = 366

/** The search parameters of the page; what is not valid is dropped. */
export function readAnalyticsAddress(search: Record<string, unknown>): AnalyticsAddress {
  const { from, to, service } = search
  // The router parses a number as one; a service may be named so.
  const named = typeof service === 'string' || typeof service === 'number' ? String(service) : ''
  const rest = named === '' ? {} : { service: named }
  if (isDay(from) && isDay(to) && from <= to && daysBetween(from, to) <= maxDays) return { ...rest, from, to }
  const range = ranges.find((candidate) => candidate === search['range'])
  return range ? { ...rest, range } : rest
}

const dayMs = 86_400_000

/** What the server is asked for. */
export function parametersOf(
  { range = '7d', from, to, service }: AnalyticsAddress,
  zone: string,
  now: number,
): Record<string, string> {
  const shared = { tz: zone, ...(service !== undefined && { service }) }
  if (from !== undefined && to !== undefined) return { from, to, ...shared }
  if (range === '24h') return { from: new Date(now - dayMs).toISOString(), ...shared }
  return { days: range === '30d' ? '30' : '7', ...shared }
}
