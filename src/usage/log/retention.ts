import type pg from 'pg'
import { inTransaction } from '#kernel/db'
import { lowestId } from '#kernel/uuid'
import { dayMs, dayText, monthOf, nextMonth, startOfDay } from './id-time.ts'
import { listPartitions } from './partitions.ts'

/** The first moment that is kept: the start of the day `retentionDays` before today, in UTC. */
export function keptFrom(now: Date, retentionDays: number): Date {
  return new Date(startOfDay(now).getTime() - retentionDays * dayMs)
}

/**
 * Deletes older usage: whole tables are dropped, the rest is deleted from the table at the limit, and the sums of that
 * time are deleted in the same transaction, so that they still match the log. Tables are dropped last: the whole log is
 * locked from then to the commit.
 */
export async function deleteBefore(pool: pg.Pool, limit: Date): Promise<{ tables: number; rows: number }> {
  return inTransaction(pool, async (client) => {
    // A dropped table waits for its readers, and all newcomers wait behind it. Better to try again in an hour.
    await client.query(`set local lock_timeout = '2s'`)
    return forget(client, limit)
  })
}

async function forget(client: pg.ClientBase, limit: Date): Promise<{ tables: number; rows: number }> {
  const old = (await listPartitions(client)).filter((partition) => partition.from < limit)
  let rows = 0
  for (const { table } of old.filter((partition) => partition.to > limit)) {
    const deleted = await client.query(`delete from ${table} where id < $1`, [lowestId(limit)])
    rows += deleted.rowCount ?? 0
  }
  await client.query('delete from usage.hourly where hour < $1', [limit])
  await client.query('delete from usage.daily where day < $1::date', [dayText(limit)])
  await client.query('delete from usage.monthly where month < $1::date', [dayText(limit)])
  await client.query('delete from usage.daily_parts where day < $1::date', [dayText(limit)])
  await client.query('delete from usage.days_to_sum where day < $1::date', [dayText(limit)])
  if (monthOf(limit) < limit)
    await client.query(restOfMonth, [dayText(monthOf(limit)), dayText(nextMonth(limit))])
  const whole = old.filter((partition) => partition.to <= limit)
  for (const { table } of whole) await client.query(`drop table ${table}`)
  return { tables: whole.length, rows }
}

/** The month at the edge again, from the days that are left of it. */
const restOfMonth = `
  insert into usage.monthly
  select group_id, $1::date, api_key_id, provider, model, is_error, sum(requests), sum(unpriced_requests),
    sum(estimated_requests), sum(prompt_tokens), sum(completion_tokens), sum(cached_tokens), sum(cache_write_tokens),
    sum(reasoning_tokens), sum(input_cost), sum(output_cost), sum(duration_ms)
  from usage.daily where day >= $1::date and day < $2::date
  group by group_id, api_key_id, provider, model, is_error`
