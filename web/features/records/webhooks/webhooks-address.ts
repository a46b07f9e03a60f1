import type { DeliveryStatus } from '#webhooks/contract'
import { readTexts, readWord } from '../address.ts'
import { deliveryStatuses } from './hook-words.ts'

export interface WebhooksAddress {
  /** Only deliveries to this webhook. */
  hook?: string
  status?: DeliveryStatus
  /** The delivery that is open. */
  delivery?: string
  /** The form for a new webhook is open. */
  new?: true
}

/** The search parameters of the page; unknown ones are dropped. */
export function readWebhooksAddress(search: Record<string, unknown>): WebhooksAddress {
  const status = readWord(search['status'], deliveryStatuses)
  return {
    ...readTexts(search, ['hook', 'delivery']),
    ...(status && { status }),
    ...(search['new'] === true && { new: true }),
  }
}
