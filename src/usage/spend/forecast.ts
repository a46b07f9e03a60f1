import { add, decimal, divide, subtract, writeDecimal, zero, type Decimal } from '#kernel/decimal'
import { dayMs, dayOf, dayText, monthOf, nextMonth, startOfDay } from '../log/id-time.ts'
import type { SpendForecast } from './contract.ts'

/** What a day cost. */
export interface DayCost {
  date: string
  cost: string
}

export const daysLookedAt = 28
const places = 8

/**
 * The spend of a month to its end: what was spent, and for every day that is left the mean of the same weekdays of the
 * last four weeks. Today counts as what was spent, or as its weekday where that is more. The range takes the cheapest
 * and the dearest of the same weekdays instead. Days before the first request are not days without spend. Pure.
 */
export function forecastOf(costs: readonly DayCost[], now: Date): SpendForecast {
  const today = startOfDay(now)
  const month = monthOf(now)
  const known = new Map(costs.map(({ date, cost }) => [date, decimal(cost)]))
  const costOf = (day: Date): Decimal => known.get(dayText(day)) ?? zero
  const samples = samplesOf(known, today)
  const days = daysFrom(month, nextMonth(now)).map((day) => {
    const spent = day > today ? zero : costOf(day)
    const guess = day < today ? null : guessOf(samples, day)
    return { date: dayText(day), spent, guess }
  })
  const total = (each: (day: (typeof days)[number]) => Decimal): string =>
    writeDecimal(days.map(each).reduce(add, zero))
  const ends = (pick: 'mean' | 'low' | 'high'): string | null =>
    samples.length === 0 ? null : total(({ spent, guess }) => (guess ? larger(spent, guess[pick]) : spent))
  return {
    month: dayText(month),
    spent: total(({ spent }) => spent),
    forecast: ends('mean'),
    low: ends('low'),
    high: ends('high'),
    days_used: samples.length,
    days: days.map(({ date, spent, guess }) => ({
      date,
      cost: writeDecimal(guess && dayOf(date) > today ? guess.mean : spent),
      is_forecast: dayOf(date) > today,
    })),
  }
}

interface Sample {
  day: Date
  cost: Decimal
}

/** The whole days of the last four weeks, from the first one with spend. */
function samplesOf(known: ReadonlyMap<string, Decimal>, today: Date): Sample[] {
  const days = daysFrom(new Date(today.getTime() - daysLookedAt * dayMs), today)
  const first = days.findIndex((day) => (known.get(dayText(day)) ?? zero).digits > 0n)
  if (first === -1) return []
  return days.slice(first).map((day) => ({ day, cost: known.get(dayText(day)) ?? zero }))
}

interface Guess {
  mean: Decimal
  low: Decimal
  high: Decimal
}

/** Of a weekday that was not seen yet, all days tell. */
function guessOf(samples: readonly Sample[], day: Date): Guess | null {
  const same = samples.filter((sample) => sample.day.getUTCDay() === day.getUTCDay())
  const costs = (same.length > 0 ? same : samples).map(({ cost }) => cost)
  const [first, ...others] = costs
  if (!first) return null
  return {
    mean: divide(costs.reduce(add, zero), BigInt(costs.length), places),
    low: others.reduce((one, other) => (isLess(other, one) ? other : one), first),
    high: others.reduce(larger, first),
  }
}

const isLess = (one: Decimal, other: Decimal): boolean => subtract(one, other).digits < 0n
const larger = (one: Decimal, other: Decimal): Decimal => (isLess(one, other) ? other : one)

function daysFrom(first: Date, end: Date): Date[] {
  const count = Math.round((end.getTime() - first.getTime()) / dayMs)
  return Array.from({ length: count }, (_, index) => new Date(first.getTime() + index * dayMs))
}
