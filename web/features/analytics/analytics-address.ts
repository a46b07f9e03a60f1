import { addressReader, day, text, word, type AddressOf, type Search } from '../../ui/address.ts'
import { daysBetween } from '../../ui/days.ts'

export const ranges = ['24h', '7d', '30d'] as const
export type Range = (typeof ranges)[number]

const read = addressReader({
  range: word(ranges),
  /** Two days make a custom period; both are included. */
  from: day,
  to: day,
  service: text,
})
export type AnalyticsAddress = AddressOf<typeof read>

/** The most days that the server calculates at once. */
const maxDays = 366

export function readAnalyticsAddress(search: Search): AnalyticsAddress {
  const { from, to, range, ...rest } = read(search)
  if (from !== undefined && to !== undefined && from <= to && daysBetween(from, to) <= maxDays)
    return { ...rest, from, to }
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
