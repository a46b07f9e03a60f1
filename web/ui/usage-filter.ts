import type { UsageFilter } from '#usage/contract'
import { isDay } from './days.ts'

/** What the filters allow, read from an address: what makes no sense there is dropped. */
export function readUsageFilter(search: Record<string, unknown>): UsageFilter {
  const [first, last] = [search['start_date'], search['end_date']]
  const filter: UsageFilter = {}
  if (isDay(first)) filter.start_date = first
  if (isDay(last)) filter.end_date = last
  for (const name of ['model', 'provider', 'api_key_id'] as const) {
    const value = search[name]
    // The router reads a bare number as one; a model may be named so.
    if ((typeof value === 'string' || typeof value === 'number') && value !== '') filter[name] = String(value)
  }
  return filter
}
