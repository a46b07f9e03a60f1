import type { Price } from '#usage/contract'
import { dayOf, exactTime } from '../../ui/moment.ts'

export const priceSources: Record<Price['source'], { name: string; meaning: string }> = {
  own: { name: 'own', meaning: 'Set by this group.' },
  synced: { name: 'synced', meaning: 'From the provider’s own list of models.' },
  built_in: { name: 'built in', meaning: 'From the table that comes with Signalbox.' },
}

/** A price that holds since ever has no day worth naming. */
const hasStart = (price: Price) => Date.parse(price.effective_from) > 0

/** `in force since 1 Jun 2026`, to the day. */
export function inForceText(price: Price): string {
  const start = hasStart(price) ? `in force since ${dayOf(price.effective_from)}` : 'in force'
  return price.effective_to === null ? start : `${start} until ${dayOf(price.effective_to)}`
}

/** From when to when, to the minute. */
export function spanOfPrice(price: Price): string {
  const start = hasStart(price) ? `from ${exactTime(price.effective_from)}` : 'from the beginning'
  return price.effective_to === null ? start : `${start} to ${exactTime(price.effective_to)}`
}
