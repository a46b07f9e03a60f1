import type { AnalyticsAddress } from './analytics-address.ts'

/** The records of a period, as the pages of records take it. */
export function recordsLink(
  to: '/deployments' | '/tickets' | '/devlogs',
  { from, to: until }: { from: string; to: string },
  { service }: AnalyticsAddress,
): { to: string; search: Record<string, unknown> } {
  const name = to === '/devlogs' ? 'service_id' : 'service'
  const isOfService = service !== undefined && to !== '/tickets'
  return { to, search: { since: from, until, ...(isOfService && { [name]: service }) } }
}
