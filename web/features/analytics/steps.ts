import { dayText } from '../../ui/days.ts'
import { weekdayAndTimeText } from '../../ui/moment.ts'
import { daysOf, hourOf, stepText, wholeDays, wholeHour, type Span } from './links.ts'

interface Stepped<Day, Hour> {
  days: number
  period: Span
  per_day: readonly Day[]
  /** Null for long periods. */
  per_hour: readonly Hour[] | null
}

interface Steps<Counts> {
  step: 'hour' | 'day'
  texts: readonly string[]
  counts: readonly Counts[]
  /** The time of a step, as far as it lies in the period. */
  spanAt(index: number): Span | undefined
}

/** Hours for periods of about a day, which would have two days only; days for others. */
export function stepsOf<Day extends { date: string }, Hour extends { at: string }>({
  days,
  period,
  per_day,
  per_hour,
}: Stepped<Day, Hour>): Steps<Day | Hour> {
  if (per_hour !== null && days <= 1.5)
    return {
      step: 'hour',
      texts: per_hour.map(({ at }) => stepText(weekdayAndTimeText(at), wholeHour(at), period)),
      counts: per_hour,
      spanAt: (index) => per_hour[index] && hourOf(per_hour[index].at, period),
    }
  return {
    step: 'day',
    texts: per_day.map(({ date }) => stepText(dayText(date), wholeDays(date), period)),
    counts: per_day,
    spanAt: (index) => per_day[index] && daysOf(per_day[index].date, period),
  }
}
