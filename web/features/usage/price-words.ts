import type { Price } from '#usage/contract'
import { dayOf, exactTime } from '../../ui/moment.ts'

export const priceSources: Record<Price['source'], { name: string; meaning: string }> = {
  own: { name: 'custom', meaning: 'Set by this group.' },
  synced: { name: 'synced', meaning: 'From the provider’s model list.' },
  built_in: { name: 'built-in', meaning: 'From the price table included with Signalbox.' },
}

/** Whether the price has a start date worth showing. */
const hasStart = (price: Price) => Date.parse(price.effective_from) > 0

/** `in effect since 1 Jun 2026`. */
export function inForceText(price: Price): string {
  const start = hasStart(price) ? `in effect since ${dayOf(price.effective_from)}` : 'in effect'
  return price.effective_to === null ? start : `${start} until ${dayOf(price.effective_to)}`
}

/** The time in which the price applies, to the minute. */
export function spanOfPrice(price: Price): string {
  const start = hasStart(price) ? `from ${exactTime(price.effective_from)}` : 'no start date'
  return price.effective_to === null ? start : `${start} to ${exactTime(price.effective_to)}`
}
