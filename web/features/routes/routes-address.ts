import { addressReader, on } from '../../ui/address.ts'

export const readRoutesAddress = addressReader({
  /** The dialog for a new route is open. */
  new: on,
})
