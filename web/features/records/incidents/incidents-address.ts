import { addressReader, on, text, word, type AddressOf } from '../../../ui/address.ts'

export const readIncidentsAddress = addressReader({
  service: text,
  status: word(['open', 'closed']),
  since: text,
  until: text,
  /** The form for a new one is open. */
  new: on,
})
export type IncidentsAddress = AddressOf<typeof readIncidentsAddress>
