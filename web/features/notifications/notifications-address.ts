import { addressReader, on, text } from '../../ui/address.ts'

export const readNotificationsAddress = addressReader({
  /** The channel whose deliveries are open. */
  channel: text,
  /** The form for a new channel is open. */
  new: on,
})
