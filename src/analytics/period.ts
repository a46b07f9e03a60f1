import { invalidField } from '#kernel/errors'
import type { Queryable } from './queries/query.ts'
import { daysPeriod, isDate, rangePeriod, type Period } from './queries/period.ts'

export interface PeriodInput {
  days?: number | undefined
  from?: string | undefined
  to?: string | undefined
  tz: string
}

const maxMs = 366 * 86_400_000

/** What a request covers, and the period before it. */
export async function readPeriod(db: Queryable, input: PeriodInput, usualDays: number): Promise<Period> {
  const { days, from, to, tz } = input
  if (from === undefined && to === undefined) return known(daysPeriod(db, days ?? usualDays, tz))
  if (days !== undefined)
    throw invalidField('days', ['cannot be combined with ', { path: 'from' }, ' and ', { path: 'to' }])
  if (from === undefined) throw invalidField('from', ['is required with ', { path: 'to' }])
  const period = await known(rangePeriod(db, timeOf(from), timeOf(to ?? new Date()), tz))
  if (period.from >= period.to)
    throw invalidField('from', ['must be before ', { path: 'to' }, ' and not in the future'])
  // A day more than the limit in milliseconds: days with 25 hours count as one.
  if (period.to.getTime() - period.from.getTime() > maxMs + 3_600_000)
    throw invalidField('from', ['may be at most 366 days before ', { path: 'to' }])
  return period
}

/** A date stays one. The database knows fewer offsets than a time may have. */
function timeOf(given: string | Date): string {
  return typeof given === 'string' && isDate(given) ? given : new Date(given).toISOString()
}

/** The database may know fewer zones than Node does. */
async function known(reading: Promise<Period>): Promise<Period> {
  try {
    return await reading
  } catch (error) {
    if ((error as { code?: string }).code === '22023')
      throw invalidField('tz', 'is not a time zone that the database knows')
    throw error
  }
}
