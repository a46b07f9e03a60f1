import type { z } from 'zod'
import type { Span } from '../days/read-days.ts'
import type { Period } from '../queries/period.ts'
import type { period } from '../contract.ts'

/** What a report is about: a group, a period and filters. */
export interface Scope {
  groupId: string
  period: Period
  service?: string | undefined
  environment?: string | undefined
}

type Range = Pick<Period, 'from' | 'to' | 'tz'>

export const currentOf = ({ from, to, tz }: Period): Range => ({ from, to, tz })
export const previousOf = ({ previousFrom, previousTo, tz }: Period): Range => ({
  from: previousFrom,
  to: previousTo,
  tz,
})

/** The same in milliseconds; `both` is the period with the one before it. */
export function spansOf({
  from,
  to,
  previousFrom,
  previousTo,
}: Period): Record<'current' | 'previous' | 'both', Span> {
  const [start, end] = [previousFrom.getTime(), to.getTime()]
  return {
    current: { from: from.getTime(), to: end },
    previous: { from: start, to: previousTo.getTime() },
    both: { from: start, to: end },
  }
}

export function toPeriod({ from, to, days, tz, previousFrom, previousTo }: Period): z.infer<typeof period> {
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    days,
    tz,
    previous_from: previousFrom.toISOString(),
    previous_to: previousTo.toISOString(),
  }
}
