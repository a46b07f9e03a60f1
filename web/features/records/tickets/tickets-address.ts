import { addressReader, on, text, word, wordList, type AddressOf } from '../../../ui/address.ts'
import { allStatuses, ticketStatuses, unfinished } from './ticket-words.ts'

export const readTicketsAddress = addressReader({
  view: word(['board']),
  /** `all` where no other filter asks for more than what is not finished. */
  status: wordList([...ticketStatuses, allStatuses]),
  priority: text,
  assignee: text,
  since: text,
  until: text,
  /** The period in which they were completed. */
  completed_since: text,
  completed_until: text,
  /** Only those without activity for this many days. */
  stale_days: text,
  /** The form for a new one is open. */
  new: on,
})
export type TicketsAddress = AddressOf<typeof readTicketsAddress>

/** Without any filter: what is not finished. Undefined: of every status. The board has a column for each. */
export function statusShown({ view, new: _form, ...filter }: TicketsAddress): string | undefined {
  if (view !== 'board' && Object.keys(filter).length === 0) return unfinished
  return filter.status?.split(',').includes(allStatuses) === true ? undefined : filter.status
}
