import { addressReader, on, text, word, type AddressOf } from '../../../ui/address.ts'
import { deliveryStatuses } from './hook-words.ts'

export const readWebhooksAddress = addressReader({
  /** Only deliveries to this webhook. */
  hook: text,
  status: word(deliveryStatuses),
  /** The delivery that is open. */
  delivery: text,
  /** The form for a new webhook is open. */
  new: on,
})
export type WebhooksAddress = AddressOf<typeof readWebhooksAddress>
