import { addressReader, text } from '../../ui/address.ts'

export const readPricesAddress = addressReader({
  q: text,
  /** The model whose price and its history are open. */
  model: text,
})
