import type pg from 'pg'
import { inTransaction } from '#kernel/db'
import { insertRecount, stepOf, type WindowKey } from './window-store.ts'

/** A process that was not seen for so long has ended. */
const deadAfter = `interval '20 seconds'`

/** Makes this process known. For how long it was not seen, by the clock of the database. */
export async function beat(pool: pg.Pool, holder: string): Promise<number> {
  const { rows } = await pool.query<{ gapMs: number | null }>(
    `with before as (select seen_at from limits.holders where id = $1)
     insert into limits.holders (id) values ($1) on conflict (id) do update set seen_at = now()
     returning (select extract(epoch from now() - before.seen_at) * 1000 from before)::float8 as "gapMs"`,
    [holder],
  )
  return rows[0]?.gapMs ?? Infinity
}

export async function removeHolder(pool: pg.Pool, holder: string): Promise<void> {
  await pool.query('delete from limits.holders where id = $1', [holder])
}

export interface DeadLease extends WindowKey {
  holder: string
  seenAt: Date | null
}

export async function deadLeases(pool: pg.Pool): Promise<DeadLease[]> {
  const { rows } = await pool.query<DeadLease>(
    `select l.limit_id as "limitId", l.starts_at as "startsAt", l.holder, h.seen_at as "seenAt"
     from limits.leases l left join limits.holders h on h.id = l.holder
     where h.id is null or h.seen_at < now() - ${deadAfter}
     order by l.limit_id, l.starts_at limit 1000`,
  )
  return rows
}

/** What it held is free again; what it had spent without a report is counted from the usage log. */
export function reclaim(pool: pg.Pool, { limitId, startsAt, holder, seenAt }: DeadLease): Promise<void> {
  return inTransaction(pool, async (client) => {
    await client.query('select from limits.windows where limit_id = $1 and starts_at = $2 for update', [
      limitId,
      startsAt,
    ])
    const { rows } = await client.query<{ granted: string }>(
      `delete from limits.leases l where limit_id = $1 and starts_at = $2 and holder = $3
         and not exists (select from limits.holders h where h.id = l.holder and h.seen_at >= now() - ${deadAfter})
       returning granted`,
      [limitId, startsAt, holder],
    )
    const [lease] = rows
    if (!lease) return
    await client.query(
      'update limits.windows set leased = greatest(0, leased - $3) where limit_id = $1 and starts_at = $2',
      [limitId, startsAt, lease.granted],
    )
    const seen = (seenAt ?? new Date()).getTime()
    const range = { from: new Date(stepOf(seen - 20_000)), to: new Date(stepOf(seen + 20_000)), dueInMs: 0 }
    await insertRecount(client, { limitId, startsAt }, range)
  })
}

/** Processes that ended long ago, and hold nothing. */
export async function removeDead(pool: pg.Pool): Promise<void> {
  await pool.query(
    `delete from limits.holders h where seen_at < now() - interval '1 hour'
       and not exists (select from limits.leases l where l.holder = h.id)`,
  )
}
