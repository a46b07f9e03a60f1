import type { Severity } from '#console/contract'
import { maxTerms } from './metadata-terms.ts'

/** The fields of an event that a filter names by value. */
export const fields = ['type', 'service', 'source'] as const
export type Field = (typeof fields)[number]

/** What the list, the histogram and the live stream show. A value that begins with `!` is excluded. */
export interface ConsoleFilter {
  q?: string
  /** This level and above. */
  severity?: Severity
  type?: readonly string[]
  service?: readonly string[]
  source?: readonly string[]
  /** Values of the metadata, as `metadataTerm` writes them. A search by words does not know them. */
  metadata?: readonly string[]
}

export const isExcluded = (term: string): boolean => term.startsWith('!')
export const valueOf = (term: string): string => (isExcluded(term) ? term.slice(1) : term)

/** Shows only this value besides the values already included; a second time removes it. */
export const include = (filter: ConsoleFilter, field: Field, value: string): ConsoleFilter =>
  toggle(filter, field, value, `!${value}`)

/** Hides this value; a second time shows it again. */
export const exclude = (filter: ConsoleFilter, field: Field, value: string): ConsoleFilter =>
  toggle(filter, field, `!${value}`, value)

function toggle(filter: ConsoleFilter, field: Field, term: string, opposite: string): ConsoleFilter {
  const terms = filter[field] ?? []
  const rest = terms.filter((each) => each !== term && each !== opposite)
  return withTerms(filter, field, terms.includes(term) ? rest : [...rest, term])
}

/** Replaces an included value by an excluded one and the other way round. */
export const flip = (filter: ConsoleFilter, field: Field, term: string): ConsoleFilter =>
  isExcluded(term) ? include(filter, field, valueOf(term)) : exclude(filter, field, term)

export const withoutTerm = (filter: ConsoleFilter, field: Field, term: string): ConsoleFilter =>
  withTerms(
    filter,
    field,
    (filter[field] ?? []).filter((each) => each !== term),
  )

function withTerms(filter: ConsoleFilter, field: Field, terms: readonly string[]): ConsoleFilter {
  const { [field]: _, ...rest } = filter
  return terms.length === 0 ? rest : { ...rest, [field]: terms }
}

/** The digit keys: the same level a second time shows all levels again. */
export function withSeverity(filter: ConsoleFilter, severity: Severity | undefined): ConsoleFilter {
  const { severity: before, ...rest } = filter
  return severity === undefined || severity === before ? rest : { ...rest, severity }
}

/** Shows only events with this value of the metadata, or hides them; a second time removes the term. */
export function toggleMetadata(filter: ConsoleFilter, term: string, isHidden: boolean): ConsoleFilter {
  const { q: _, metadata: before = [], ...rest } = filter
  const wanted = isHidden ? `!${term}` : term
  const others = before.filter((each) => valueOf(each) !== term)
  const metadata = before.includes(wanted) ? others : [...others, wanted].slice(-maxTerms)
  return metadata.length === 0 ? rest : { ...rest, metadata }
}
