import type { LogFilter } from '#usage/contract'
import { daysAfter, isDay, startOf } from '../../ui/days.ts'
import { isRange, limitsOf, type Period } from '../../ui/period.ts'

/** Filters of which any number of values can be chosen. */
export const valueFilters = ['model', 'provider', 'api_key_id'] as const
export type ValueFilter = (typeof valueFilters)[number]

export interface LogsSearch extends Period {
  model?: string | string[] | undefined
  provider?: string | string[] | undefined
  api_key_id?: string | string[] | undefined
  /** UTC days, in links of pages that count such days: they are read as `since` and `until`. */
  start_date?: string | undefined
  end_date?: string | undefined
  status?: 'ok' | 'error'
  session?: string
  q?: string
  /** The request whose record is open. */
  request?: string
}

/** The search parameters of the page; unknown ones are dropped. */
export function readLogsSearch(search: Record<string, unknown>): LogsSearch {
  const status = (['ok', 'error'] as const).find((candidate) => candidate === search['status'])
  const { request } = search
  const [session, q] = [textOf(search['session']), textOf(search['q'])?.slice(0, 200)]
  return {
    ...readPeriod(search),
    ...Object.fromEntries(
      valueFilters.flatMap((name) => {
        const values = valuesOf(search[name])
        return values.length === 0 ? [] : [[name, values.length === 1 ? values[0] : values]]
      }),
    ),
    ...(status && { status }),
    ...(session !== undefined && { session }),
    ...(q !== undefined && { q }),
    ...(typeof request === 'string' && /^req_[0-9a-f]{32}$/.test(request) && { request }),
  }
}

/** The router parses a number as one; a model, a key and a text may be numbers. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  return text.trim() === '' ? undefined : text
}

/** The values of one filter: each once, and no more than the server takes. */
export const valuesOf = (given: unknown): string[] =>
  [
    ...new Set(
      (Array.isArray(given) ? (given as unknown[]) : [given]).flatMap((value) => textOf(value) ?? []),
    ),
  ].slice(0, 50)

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value))

/** Links from pages that count in UTC days give such days; the list shows the reader's time for them. */
function readPeriod({ range, since, until, start_date, end_date }: Record<string, unknown>): Period {
  if (isRange(range)) return { range }
  const from = isTime(since) ? Date.parse(since) : isDay(start_date) ? startOf(start_date) : undefined
  const to = isTime(until) ? Date.parse(until) : isDay(end_date) ? startOf(daysAfter(end_date, 1)) : undefined
  if (from !== undefined && to !== undefined && from >= to) return {}
  return {
    ...(from !== undefined && { since: new Date(from).toISOString() }),
    ...(to !== undefined && { until: new Date(to).toISOString() }),
  }
}

/** What the page is narrowed to: everything but the open record. The router adds what it does not know: it goes. */
export function narrowingOf(search: LogsSearch): LogsSearch {
  const { request: _, ...rest } = readLogsSearch({ ...search })
  return rest
}

/** The filter as the server takes it. A range such as the last hour begins that long before `now`. */
export function filterOf(search: LogsSearch, now: number): LogFilter {
  const { request: _request, range: _range, since: _since, until: _until, ...rest } = search
  return { ...rest, ...limitsOf(search, now) }
}
