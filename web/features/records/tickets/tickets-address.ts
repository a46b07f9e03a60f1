import { addressReader, on, text, word, wordList, type AddressOf } from '../../../ui/address.ts'
import { allStatuses, ticketStatuses } from './ticket-words.ts'

export const readTicketsAddress = addressReader({
  view: word(['board']),
  /** Without any filter the list shows what is not finished; `all` asks for the rest too. */
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
