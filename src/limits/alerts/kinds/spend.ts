import { sql, type RawBuilder } from 'kysely'
import { lowestId } from '#kernel/uuid'
import type { ConfigOf, SpendSubject, SpendWindow } from '../config.ts'
import type { Db, Finding, Kind, Question } from '../kind.ts'
import { dollars, plainAmount } from '../words.ts'
import { isOf, nameOf } from './subject.ts'

const words: Record<SpendWindow, string> = { day: 'today', week: 'this week', month: 'this month' }

/** Spend above a sum: once in each day, week or month. The end of the window is no news. */
export const spend: Kind<ConfigOf<'spend'>> = {
  severity: 'warning',
  isOnce: true,
  ends: 'silently',
  async find(question, config): Promise<Finding[]> {
    const { db, groupId, open } = question
    const { subject, window } = config
    const amount = plainAmount(config.amount)
    const { start, day } = await windowStart(question, subject, window)
    const { cost, isOver } = await spentSince(db, groupId, subject, start, amount)
    if (!isOver) return []
    const thing = `${window}:${day}:${amount}`
    const name = await nameOf(db, groupId, subject)
    const largest = open.has(thing) ? '' : await largestText(question, subject, start)
    return [
      {
        thing,
        title: `Spend of ${name} ${words[window]}: ${dollars(cost)}, above ${dollars(amount)}`,
        text: `${largest}See what was spent and on what. To stop it at a sum, set a limit.`,
        path: `/usage`,
        data: { subject, window, amount, cost, since: start.toISOString() },
      },
    ]
  },
}

/**
 * Days, weeks (from Monday) and months begin at midnight in the group's time zone; those of a tag in UTC, since its sums
 * are of such days.
 */
export async function windowStart(
  { db, groupId, now }: Pick<Question, 'db' | 'groupId' | 'now'>,
  subject: SpendSubject,
  window: SpendWindow,
): Promise<{ start: Date; day: string }> {
  const zone = subject.type === 'tag' ? sql`'UTC'` : sql`time_zone`
  const { rows } = await sql<{ start: Date; day: string }>`
    select date_trunc(${window}, ${now}::timestamptz, ${zone}) as start,
      to_char(date_trunc(${window}, ${now}::timestamptz, ${zone}) at time zone ${zone}, 'YYYY-MM-DD') as day
    from alerts.time_zones where group_id = ${groupId}`.execute(db)
  return rows[0] ?? { start: now, day: now.toISOString().slice(0, 10) }
}

const hourMs = 3_600_000
const next = (at: Date, unit: number): Date => new Date(Math.ceil(at.getTime() / unit) * unit)

/**
 * What a subject's requests cost since a moment, from as few rows as can be: whole UTC days, the hours before them, and,
 * in time zones that are not whole hours from UTC, the requests before those.
 */
function costsSince(groupId: string, subject: SpendSubject, start: Date): RawBuilder<unknown> {
  const [firstHour, firstDay] = [next(start, hourMs), next(start, 24 * hourMs)]
  if (subject.type === 'tag')
    return sql`(
      select cost from alerts.usage_parts
      where group_id = ${groupId} and kind = 'tag' and value = ${subject.id}
        and day >= ${firstDay.toISOString().slice(0, 10)}::date
    ) as costs`
  const mine = isOf(subject, groupId)
  return sql`(
    select model, api_key_id, cost from alerts.usage_days
    where ${mine} and day >= ${firstDay.toISOString().slice(0, 10)}::date
    union all
    select model, api_key_id, cost from alerts.usage_hours
    where ${mine} and hour >= ${firstHour} and hour < ${firstDay}
    union all
    select model, api_key_id, cost from alerts.requests
    where ${mine} and id >= ${lowestId(start)}::uuid and id < ${lowestId(firstHour)}::uuid
  ) as costs`
}

export async function spentSince(
  db: Db,
  groupId: string,
  subject: SpendSubject,
  start: Date,
  amount: string,
): Promise<{ cost: string; isOver: boolean }> {
  const { rows } = await sql<{ cost: string; isOver: boolean }>`
    select trim_scale(coalesce(sum(cost), 0))::text as cost, coalesce(sum(cost), 0) >= ${amount}::numeric as "isOver"
    from ${costsSince(groupId, subject, start)}`.execute(db)
  return rows[0] ?? { cost: '0', isOver: false }
}

export async function largestSince(
  db: Db,
  groupId: string,
  subject: Exclude<SpendSubject, { type: 'tag' }>,
  start: Date,
): Promise<{ model: string; key: string | null; cost: string }[]> {
  const { rows } = await sql<{ model: string; key: string | null; cost: string }>`
    select model, (select name from alerts.api_keys k where k.id = api_key_id) as key,
      trim_scale(sum(cost))::text as cost
    from ${costsSince(groupId, subject, start)}
    group by model, api_key_id order by sum(cost) desc, model limit 3`.execute(db)
  return rows
}

async function largestText({ db, groupId }: Question, subject: SpendSubject, start: Date): Promise<string> {
  // The sums by tag know neither models nor keys.
  if (subject.type === 'tag') return ''
  const rows = await largestSince(db, groupId, subject, start)
  const parts = rows.map(
    ({ model, key, cost }) => `${model}${key === null ? '' : ` with the key "${key}"`} ${dollars(cost)}`,
  )
  return parts.length === 0 ? '' : `Most of it: ${parts.join(', ')}. `
}
