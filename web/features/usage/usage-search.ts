import type { UsageFilter } from '#usage/contract'
import { readUsageFilter } from '../../ui/usage-filter.ts'

export const ranges = ['day', 'week', 'month'] as const
export type Range = (typeof ranges)[number]

export interface UsageSearch extends UsageFilter {
  range?: Range
}

/** Two dates make a custom range; a single date is ignored. */
export function readUsageSearch(search: Record<string, unknown>): UsageSearch {
  const { start_date, end_date, ...rest } = readUsageFilter(search)
  if (start_date !== undefined && end_date !== undefined && start_date <= end_date)
    return { ...rest, start_date, end_date }
  const range = ranges.find((candidate) => candidate === search['range'])
  return range ? { ...rest, range } : rest
}
