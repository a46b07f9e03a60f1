import { sql, type Kysely } from 'kysely'
import { lowestId } from '#kernel/uuid'
import { dayMs, dayOf } from '../log/id-time.ts'
import type { UsageTables } from '../tables.ts'

/** Sums the days of a log that is older than these sums, the newest first. Each day is a transaction of its own. */
export async function sumOlderDays(db: Kysely<UsageTables>): Promise<void> {
  while (await sumNextDay(db));
}

async function sumNextDay(db: Kysely<UsageTables>): Promise<boolean> {
  const { rows } = await sql<{ day: string }>`
    select max(day)::text as day from usage.days_to_sum having count(*) > 0`.execute(db)
  const [next] = rows
  if (!next) return false
  const [low, high] = [dayOf(next.day), new Date(dayOf(next.day).getTime() + dayMs)].map(lowestId)
  await sql`select usage.sum_day(${next.day}::date, ${low}::uuid, ${high}::uuid)`.execute(db)
  return true
}
