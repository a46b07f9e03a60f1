import type { UsageFilter } from '#usage/contract'
import { dayText, daysAfter, daysBetween, daysText, startOf, today } from '../../ui/days.ts'
import { unfinishedText } from '../../ui/unfinished.ts'
import type { UsageAddress } from './usage-address.ts'

export interface Span {
  start_date: string
  end_date: string
}

export interface Period extends Span {
  /** Hours for one day, days for more. */
  step: 'hour' | 'day'
  /** The same number of days, just before. */
  before: Span
}

const lengths = { day: 1, week: 7, month: 30 }

/** The period in the search parameters: a named range up to today, or two dates. */
export function periodOf({ range, start_date, end_date }: UsageAddress, now: number): Period {
  const end = end_date ?? today(now)
  const start = start_date ?? daysAfter(end, 1 - lengths[range ?? 'week'])
  const count = daysBetween(start, end)
  return {
    start_date: start,
    end_date: end,
    step: count === 1 ? 'hour' : 'day',
    before: { start_date: daysAfter(start, -count), end_date: daysAfter(start, -1) },
  }
}

export const inSpan = (filter: UsageFilter, { start_date, end_date }: Span): UsageFilter => ({
  ...filter,
  start_date,
  end_date,
})

/** The start time of each step. */
export function stepsOf({ start_date, end_date }: Span, step: Period['step']): number[] {
  const first = startOf(start_date)
  const [length, count] = [lengthOf[step], step === 'hour' ? 24 : daysBetween(start_date, end_date)]
  return Array.from({ length: count }, (_, index) => first + index * length)
}

const lengthOf = { hour: 3_600_000, day: 86_400_000 }

export function stepText(moment: number, step: Period['step'], now = Date.now()): string {
  const text = step === 'hour' ? new Date(moment).toISOString().slice(11, 16) : dayText(today(moment))
  // A step to come has nothing in it that could be unfinished.
  return moment > now ? text : unfinishedText(text, moment + lengthOf[step], now)
}

export const spanText = ({ start_date, end_date }: Span): string => daysText(start_date, end_date)
