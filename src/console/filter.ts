import { lowestId, timeOfId } from '#kernel/uuid'
import { severities } from './contract.ts'
import type { StoredEvent } from './event.ts'
import type { MetadataTerm } from './metadata-terms.ts'
import { isPlace, jsonWithText, textAt } from './metadata-value.ts'

/** Values that are asked for, or that are left out. */
export interface Choice {
  include: readonly string[]
  exclude: readonly string[]
}

export interface EventFilter {
  groupId: string
  type: Choice
  service: Choice
  source: Choice
  /** No index has them: they are compared with a bounded number of events. */
  metadata: readonly MetadataTerm[]
  /** Places in `severities`, ascending. */
  levels: readonly number[]
  /** Milliseconds; `until` is not included. */
  since: number | null
  until: number | null
}

export const allLevels = severities.map((_, level) => level)
const facets = ['type', 'source', 'service'] as const

export const isChosen = ({ include, exclude }: Choice): boolean => include.length + exclude.length > 0

/** Whether the filter leaves out some events of the group, apart from their time. */
export function isSelective(filter: EventFilter): boolean {
  return filter.levels.length < allLevels.length || facets.some((facet) => isChosen(filter[facet]))
}

/** The same decision as `conditions`, for an event that is in memory. */
export function matches(filter: EventFilter, event: StoredEvent): boolean {
  if (event.groupId !== filter.groupId || !filter.levels.includes(event.severity)) return false
  if (!facets.every((facet) => isIn(filter[facet], event[facet]))) return false
  if (
    !filter.metadata.every((term) => (textAt(event.metadata, term.path) === term.value) !== term.isExcluded)
  )
    return false
  if (filter.since === null && filter.until === null) return true
  const at = timeOfId(event.id).getTime()
  return at >= (filter.since ?? at) && at < (filter.until ?? at + 1)
}

function isIn({ include, exclude }: Choice, value: string | null): boolean {
  if (value === null) return include.length === 0
  return (include.length === 0 || include.includes(value)) && !exclude.includes(value)
}

/** A condition for `where`; its parameters are added to the values. */
export function conditions(filter: EventFilter, values: unknown[]): string {
  const given = (value: unknown): string => `$${values.push(value)}`
  const parts = [`group_id = ${given(filter.groupId)}`, timeRange(filter, given)]
  parts.push(ofLevels(filter.levels))
  for (const facet of facets) {
    const { include, exclude } = filter[facet]
    if (include.length > 0) parts.push(`${facet} = any(${given(include)}::text[])`)
    if (exclude.length > 0) parts.push(`(${facet} <> all(${given(exclude)}::text[])) is not false`)
  }
  for (const { path, value, isExcluded } of filter.metadata) {
    const texts = `${given(jsonWithText(value))}::text[]::jsonb[]`
    parts.push(`(metadata${stepsTo(path, given)} = any(${texts})) is ${isExcluded ? 'not true' : 'true'}`)
  }
  return parts.filter((part) => part !== '').join(' and ')
}

/** As JSON, so that numbers are compared by their value. `->` finds nothing in an array. */
function stepsTo(path: readonly string[], given: (value: unknown) => string): string {
  return path
    .map((name) => (isPlace(name) ? ` #> array[${given(name)}::text]` : ` -> ${given(name)}::text`))
    .join('')
}

/** Only what an index has in the order of time: the group, the time, and whether they are errors. */
export function scope(filter: EventFilter, values: unknown[]): string {
  const given = (value: unknown): string => `$${values.push(value)}`
  const isOfErrors = filter.levels.every((level) => level >= errorLevel)
  const parts = [`group_id = ${given(filter.groupId)}`, timeRange(filter, given)]
  if (isOfErrors) parts.push(ofLevels(filter.levels))
  return parts.filter((part) => part !== '').join(' and ')
}

function timeRange({ since, until }: EventFilter, given: (value: unknown) => string): string {
  const from = since === null ? '' : `id >= ${given(lowestId(since))}::uuid`
  const to = until === null ? '' : `id < ${given(lowestId(until))}::uuid`
  return [from, to].filter((part) => part !== '').join(' and ')
}

/** Numbers of our own, written out so that the index of errors is considered. */
export function ofLevels(levels: readonly number[]): string {
  if (levels.length === allLevels.length) return ''
  const [lowest = 0] = levels
  const isAbove = levels.length === allLevels.length - lowest
  if (isAbove) return `severity >= ${lowest}`
  const bound = lowest >= errorLevel ? `severity >= ${errorLevel} and ` : ''
  return `${bound}severity in (${levels.length === 0 ? 'null' : levels.join(', ')})`
}

export const errorLevel = severities.indexOf('error')

/** Type, source and service as words of the index that no text contains, so that it also finds the events of a filter. */
export function facetMarks(event: Record<(typeof facets)[number], string | null>): string[] {
  return facets.flatMap((facet) => (event[facet] === null ? [] : [markOf(facet, event[facet])]))
}

const markOf = (facet: string, value: string): string => `\u0002${facet} ${value}`

/** The marks that every event of the filter has; empty when there are none. */
export function facetWords(filter: EventFilter): string {
  return facets
    .filter((facet) => filter[facet].include.length > 0)
    .map((facet) => `(${filter[facet].include.map((value) => quoted(markOf(facet, value))).join(' | ')})`)
    .join(' & ')
}

const quoted = (word: string): string => `'${word.replaceAll(/['\\]/g, '$&$&')}'`
