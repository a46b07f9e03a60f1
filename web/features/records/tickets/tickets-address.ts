import { addressReader, on, text, word, wordList, type AddressOf } from '../../../ui/address.ts'
import { allStatuses, ticketStatuses, unfinished } from './ticket-words.ts'

export const readTicketsAddress = addressReader({
  view: word(['board']),
  /** `all` where the list would begin with what is not finished. */
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

/**
 * Nothing chosen: what is not finished, unless a link asks for a time, which means tickets of every status (undefined). The
 * board has a column for each.
 */
export function statusShown(address: TicketsAddress): string | undefined {
  const { view, status, since, until, completed_since, completed_until, stale_days } = address
  if (status !== undefined) return status.split(',').includes(allStatuses) ? undefined : status
  const times = [since, until, completed_since, completed_until, stale_days]
  return view === 'board' || times.some((time) => time !== undefined) ? undefined : unfinished
}
