import { fields, type ConsoleFilter } from './console-filter.ts'
import { severitiesByUrgency } from './event-words.ts'
import { maxTerms, readTerm } from './metadata-terms.ts'
import {
  addressReader,
  matching,
  time,
  trimmed,
  word,
  type AddressOf,
  type Search,
} from '../../ui/address.ts'
import { isRange, type Period } from '../../ui/period.ts'

const id = matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

/** Everything that a shared link shows. */
const read = addressReader({
  q: trimmed,
  severity: word(severitiesByUrgency),
  /** Values separated by commas; one that begins with `!` is excluded. */
  type: trimmed,
  service: trimmed,
  source: trimmed,
  /** Values of the metadata. */
  metadata: trimmed,
  /** Without one, and without two points in time: the last 24 hours. */
  range: (given) => (isRange(given) || given === 'all' ? given : undefined),
  since: time,
  until: time,
  /** The event whose record is open. */
  event: id,
  /** The list shows all events around this one. */
  around: id,
})
export type ConsoleAddress = AddressOf<typeof read>

/** A range comes before two points in time. */
export function readConsoleAddress(search: Search): ConsoleAddress {
  const { since: _, until: __, ...rest } = read(search)
  return rest.range === undefined ? read(search) : rest
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
