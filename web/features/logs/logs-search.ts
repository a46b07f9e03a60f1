import type { LogFilter } from '#usage/contract'
import { readUsageFilter } from '../../ui/usage-filter.ts'

export interface LogsSearch extends LogFilter {
  /** The request whose record is open. */
  request?: string
}

/** The search parameters of the page; unknown ones are dropped. */
export function readLogsSearch(search: Record<string, unknown>): LogsSearch {
  const status = (['ok', 'error'] as const).find((candidate) => candidate === search['status'])
  const { request, session } = search
  return {
    ...readUsageFilter(search),
    ...(status && { status }),
    // The router parses a number as one; a key may be a number.
    ...((typeof session === 'string' || typeof session === 'number') &&
      session !== '' && { session: String(session) }),
    ...(typeof request === 'string' && /^req_[0-9a-f]{32}$/.test(request) && { request }),
  }
}

export function filterOf(search: LogsSearch): LogFilter {
  const { request: _, ...filter } = search
  return filter
}
