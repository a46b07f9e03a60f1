import { invalidField } from '#kernel/errors'
import { decimal, readDecimal, writeDecimal } from '#kernel/decimal'
import type { Metric } from './limit-shapes.ts'

/**
 * Amounts are whole numbers of a small unit: tokens, requests, places; for cost a millionth of a millionth of a dollar,
 * in which every price of a token is a whole number or is rounded up.
 */
export type Units = bigint

const places = 12
const perDollar = 10n ** BigInt(places)

/** Dollars as units, rounded up. */
export function dollarUnits(text: string): Units {
  const { digits, places: given } = decimal(text)
  if (given <= places) return digits * 10n ** BigInt(places - given)
  const divisor = 10n ** BigInt(given - places)
  return (digits + divisor - 1n) / divisor
}

/** As responses show it. */
export function shown(metric: Metric, units: Units): string | number {
  return metric === 'cost' ? writeDecimal({ digits: units, places }) : Number(units)
}

/** For people. */
export function written(metric: Metric, units: Units): string {
  if (metric === 'cost') return `$${shown(metric, units)}`
  const nouns = { tokens: 'tokens', requests: 'requests', concurrent: 'requests at the same time' }
  return `${units} ${nouns[metric]}`
}

const maxDollars = 1_000_000_000n * perDollar
const maxCount = 1_000_000_000_000_000n

/** Reads an amount of a request. Refuses signs, exponents, fractions of a token and what nobody could mean. */
export function readAmount(metric: Metric, given: string | number): Units {
  const read = readDecimal(typeof given === 'number' ? String(given) : given)
  if (!read || read.digits < 0n)
    throw invalidField('amount', metric === 'cost' ? 'must be dollars, such as "25.00"' : wholeNumber)
  if (metric === 'cost') {
    if (read.places > places) throw invalidField('amount', `has at most ${places} decimals`)
    const units = read.digits * 10n ** BigInt(places - read.places)
    if (units > maxDollars) throw invalidField('amount', 'is at most 1000000000 dollars')
    return units
  }
  if (read.places > 0) throw invalidField('amount', wholeNumber)
  if (read.digits > maxCount) throw invalidField('amount', `is at most ${maxCount}`)
  return read.digits
}

const wholeNumber = 'must be a whole number, such as 1000'
