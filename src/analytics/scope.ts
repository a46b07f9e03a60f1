import type { z } from 'zod'
import type { period } from './contract.ts'
import type { Period } from './queries/period.ts'

/** What a report is about: a group, a period and filters. */
export interface Scope {
  groupId: string
  period: Period
  service?: string | undefined
  environment?: string | undefined
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
