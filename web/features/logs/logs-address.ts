import type { LogFilter } from '#usage/contract'
import { daysAfter, isDay, startOf } from '../../ui/days.ts'
import { addressReader, matching, text, time, word, type AddressOf, type Search } from '../../ui/address.ts'
import { isRange, limitsOf, type Period } from '../../ui/period.ts'

/** Filters of which any number of values can be chosen. */
export const valueFilters = ['model', 'provider', 'api_key_id'] as const
export type ValueFilter = (typeof valueFilters)[number]

const read = addressReader({
  model: values,
  provider: values,
  api_key_id: values,
  status: word(['ok', 'error']),
  session: text,
  route: text,
  min_attempts: calls,
  q: (given) => text(given)?.slice(0, 200),
  /** The request whose record is open. */
  request: matching(/^req_[0-9a-f]{32}$/),
})

export interface LogsAddress
  extends
    Period,
    Omit<AddressOf<typeof read>, ValueFilter>,
    Partial<Record<ValueFilter, string | string[] | undefined>> {
  /** UTC days, in links of pages that count such days: they are read as `since` and `until`. */
  start_date?: string | undefined
  end_date?: string | undefined
}

export const readLogsAddress = (search: Search): LogsAddress => ({ ...readPeriod(search), ...read(search) })

/** The values of one filter: each once, and no more than the server takes. */
export const valuesOf = (given: unknown): string[] =>
  [...new Set([given].flat().flatMap((value) => text(value) ?? []))].slice(0, 50)

/** The least number of calls, as the server takes it. */
function calls(given: unknown): number | undefined {
  const count = Number(given)
  return Number.isInteger(count) && count >= 2 && count <= 10 ? count : undefined
}

/** One value, or several. */
function values(given: unknown): string | string[] | undefined {
  const found = valuesOf(given)
  return found.length > 1 ? found : found[0]
}

/** Links from pages that count in UTC days give such days; the list shows the reader's time for them. */
function readPeriod({ range, start_date, end_date, ...given }: Search): Period {
  if (isRange(range)) return { range }
  const [since, until] = [time(given['since']), time(given['until'])]
  const from = since !== undefined ? Date.parse(since) : isDay(start_date) ? startOf(start_date) : undefined
  const to =
    until !== undefined ? Date.parse(until) : isDay(end_date) ? startOf(daysAfter(end_date, 1)) : undefined
  if (from !== undefined && to !== undefined && from >= to) return {}
  return {
    ...(from !== undefined && { since: new Date(from).toISOString() }),
    ...(to !== undefined && { until: new Date(to).toISOString() }),
  }
}

/** What the page is narrowed to: everything but the open record. The router adds what it does not know: it goes. */
export function narrowingOf(search: LogsAddress): LogsAddress {
  const { request: _, ...rest } = readLogsAddress({ ...search })
  return rest
}

/** The filter as the server takes it. A range such as the last hour begins that long before `now`. */
export function filterOf(search: LogsAddress, now: number): LogFilter {
  const { request: _request, range: _range, since: _since, until: _until, ...rest } = search
  return { ...rest, ...limitsOf(search, now) }
}
