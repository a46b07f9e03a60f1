import { fields, type ConsoleFilter } from './console-filter.ts'
import { severitiesByUrgency } from './event-words.ts'
import { maxTerms, readTerm } from './metadata-terms.ts'
import { isRange, type Period, type Range } from '../../ui/period.ts'

/** The search parameters of the page: everything that a shared link shows. */
export interface ConsoleAddress extends Omit<Period, 'range'> {
  /** Without one, and without two points in time: the last 24 hours. */
  range?: Range | 'all'
  q?: string
  severity?: string
  /** Values separated by commas; one that begins with `!` is excluded. */
  type?: string
  service?: string
  source?: string
  /** Values of the metadata. */
  metadata?: string
  /** The event whose record is open. */
  event?: string
  /** The list shows all events around this one. */
  around?: string
}

const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value))

/** Unknown and invalid parameters are dropped. The router parses a query such as 42 as a number. */
export function readConsoleAddress(search: Record<string, unknown>): ConsoleAddress {
  const address: ConsoleAddress = {}
  for (const name of ['q', 'metadata', ...fields] as const) {
    const value = search[name]
    if (!['string', 'number', 'boolean'].includes(typeof value)) continue
    const text = String(value).trim()
    if (text !== '') address[name] = text
  }
  const severity = severitiesByUrgency.find((each) => each === search['severity'])
  if (severity) address.severity = severity
  const range = search['range']
  if (isRange(range) || range === 'all') address.range = range
  for (const name of ['since', 'until'] as const) {
    const value = search[name]
    if (address.range === undefined && isTime(value)) address[name] = value
  }
  for (const name of ['event', 'around'] as const) {
    const value = search[name]
    if (isId(value)) address[name] = value
  }
  return address
}

/** The filter of the address; a page for one source adds that source. */
export function filterOf(address: ConsoleAddress, source?: string): ConsoleFilter {
  const filter: ConsoleFilter = {}
  if (address.q !== undefined) filter.q = address.q
  const severity = severitiesByUrgency.find((each) => each === address.severity)
  if (severity) filter.severity = severity
  for (const field of fields) {
    const terms = [...new Set(address[field]?.split(',').map((term) => term.trim()))].filter(
      (term) => term !== '' && term !== '!',
    )
    if (terms.length > 0) filter[field] = terms
  }
  const terms = [...new Set(address.metadata?.split(','))].filter((term) => readTerm(term) !== undefined)
  if (terms.length > 0 && filter.q === undefined) filter.metadata = terms.slice(0, maxTerms)
  return source === undefined ? filter : { ...filter, source: [source] }
}

/** The filter as the parameters of the address. */
export function addressOf(filter: ConsoleFilter): ConsoleAddress {
  const address: ConsoleAddress = {}
  if (filter.q !== undefined) address.q = filter.q
  if (filter.severity !== undefined) address.severity = filter.severity
  for (const field of [...fields, 'metadata'] as const) {
    const terms = filter[field]
    if (terms !== undefined && terms.length > 0) address[field] = terms.join(',')
  }
  return address
}

/** What list and histogram show unless another period is chosen. */
export const usualPeriod: Period = { range: '24h' }

export const isUsual = ({ range, since, until }: Period): boolean =>
  range === usualPeriod.range && since === undefined && until === undefined

/** The period as the parameters of the address. */
export function periodAddress(period: Period): Pick<ConsoleAddress, 'range' | 'since' | 'until'> {
  if (isUsual(period)) return {}
  return Object.keys(period).length === 0 ? { range: 'all' } : period
}

export function periodOf({ range, since, until }: ConsoleAddress): Period {
  if (range === 'all') return {}
  if (range === undefined && since === undefined && until === undefined) return usualPeriod
  return {
    ...(range !== undefined && { range }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  }
}

/** A link to one event among its neighbours, without the reader's own filters. */
export const permalink = (origin: string, id: string): string => `${origin}/console?event=${id}&around=${id}`
