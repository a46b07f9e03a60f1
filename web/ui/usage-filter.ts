import type { UsageFilter } from '#usage/contract'
import { isDay } from './days.ts'

/** Reads the filter from search parameters; invalid values are dropped. */
export function readUsageFilter(search: Record<string, unknown>): UsageFilter {
  const [first, last] = [search['start_date'], search['end_date']]
  const filter: UsageFilter = {}
  if (isDay(first)) filter.start_date = first
  if (isDay(last)) filter.end_date = last
  for (const name of ['model', 'provider', 'api_key_id'] as const) {
    const value = search[name]
    // The router parses a number as one; a model name may be a number.
    if ((typeof value === 'string' || typeof value === 'number') && value !== '') filter[name] = String(value)
  }
  return filter
}
