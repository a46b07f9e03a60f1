import { addressReader, text } from '../../ui/address.ts'

/** The model, so that a link opens the same one. */
export const readPlaygroundAddress = addressReader({ model: text })
