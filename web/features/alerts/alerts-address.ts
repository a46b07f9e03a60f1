import { addressReader, on, text, type AddressOf } from '../../ui/address.ts'

export const readAlertsAddress = addressReader({
  /** Only what this alert reported. */
  alert: text,
  /** The form for a new alert is open. */
  new: on,
})
export type AlertsAddress = AddressOf<typeof readAlertsAddress>
