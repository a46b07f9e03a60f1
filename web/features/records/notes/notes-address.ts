import { addressReader, on, text, word, type AddressOf } from '../../../ui/address.ts'

export const readNotesAddress = addressReader({
  service_id: text,
  tag: text,
  log_type: text,
  category: text,
  author_kind: word(['human', 'ai']),
  since: text,
  until: text,
  /** The form for a new one is open. */
  new: on,
})
export type NotesAddress = AddressOf<typeof readNotesAddress>
