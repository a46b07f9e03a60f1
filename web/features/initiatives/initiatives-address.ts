import { addressReader, on, text, word, type AddressOf } from '../../ui/address.ts'

/** Of the list. */
export const readInitiativesAddress = addressReader({
  status: word(['active', 'paused', 'done']),
  /** The form for a new one is open. */
  new: on,
})
export type InitiativesAddress = AddressOf<typeof readInitiativesAddress>

/** Of one initiative: the decision or the document that is open. */
export const readInitiativeAddress = addressReader({ decision: text, document: text })
