/** Apart from the filter itself, which the first page loads: what the contract has is large. */

import { textAt, type ConsoleEvent } from '#console/contract'
import { fields, isExcluded, type ConsoleFilter } from './console-filter.ts'
import { urgency } from './event-words.ts'
import { readTerm } from './metadata-terms.ts'

/** Whether the live stream's event belongs to the list. Words are not compared: only the server can. */
export function matches(filter: ConsoleFilter, event: ConsoleEvent): boolean {
  if (filter.severity !== undefined && urgency(event.severity) < urgency(filter.severity)) return false
  if (filter.metadata?.some((term) => !hasTerm(event.metadata, term))) return false
  return fields.every((field) => allows(filter[field], event[field]))
}

/** Terms that allow the value: one of the included ones if there are any, and none of the excluded ones. */
function allows(terms: readonly string[] | undefined, value: string | null): boolean {
  if (terms === undefined) return true
  const included = terms.filter((term) => !isExcluded(term))
  if (included.length > 0 && (value === null || !included.includes(value))) return false
  return value === null || !terms.includes(`!${value}`)
}

/** Whether an event has the value, or does not have the one that is left out. */
function hasTerm(metadata: unknown, term: string): boolean {
  const read = readTerm(term)
  return !read || (textAt(metadata, read.path) === read.value) !== read.isExcluded
}
