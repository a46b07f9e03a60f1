import { addressReader, on, text } from '../../ui/address.ts'

export const readProvidersAddress = addressReader({
  /** The add-key dialog is open: for this provider, or `any` to recognise it from the key. */
  add: text,
  /** The add-provider dialog is open. */
  new: on,
})
