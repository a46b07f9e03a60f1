import { CronExpressionParser } from 'cron-parser'
import { invalidField } from '#kernel/errors'

const field = /^[\d*,/-]+$|^[\d*,/A-Za-z-]{1,40}$/
const names = /[A-Za-z]+/g
const known = new Set(
  'sun mon tue wed thu fri sat jan feb mar apr may jun jul aug sep oct nov dec'.split(' '),
)

/** The first time after this one; 400 where the expression is none, or names no time that comes. */
export function nextTime(cron: string, timeZone: string, after: Date): Date {
  const fields = cron.trim().split(/\s+/)
  const isPlain = fields.every(
    (each) => field.test(each) && (each.match(names) ?? []).every((name) => known.has(name.toLowerCase())),
  )
  if (fields.length !== 5 || !isPlain)
    throw invalidField(
      'cron',
      'must have five fields, such as "0 9 * * 1-5" for 9:00 from Monday to Friday: minute, hour, day of the month, month and day of the week',
    )
  try {
    return CronExpressionParser.parse(fields.join(' '), { currentDate: after, tz: timeZone }).next().toDate()
  } catch {
    throw invalidField('cron', 'names no time, for example because a number is too large for its field')
  }
}
