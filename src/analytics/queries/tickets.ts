import type { Period } from './period.ts'
import { only, type Queryable } from './query.ts'

type Range = Pick<Period, 'from' | 'to'>

export interface TicketSums {
  created: number
  completed: number
  cancelled: number
  average_resolution_hours: number | null
  median_resolution_hours: number | null
  p85_resolution_hours: number | null
  median_cycle_hours: number | null
}

export async function sumTickets(db: Queryable, groupId: string, { from, to }: Range): Promise<TicketSums> {
  const { rows } = await db.query<TicketSums>(
    `with closed as (
       select completed_at,
         case when completed_at is not null
           then greatest(extract(epoch from completed_at - created_at), 0)::float8 / 3600 end as resolution,
         case when completed_at is not null and started_at is not null
           then greatest(extract(epoch from completed_at - started_at), 0)::float8 / 3600 end as cycle
       from analytics.tickets where group_id = $1 and closed_at >= $2 and closed_at < $3
     )
     select (select count(*) from analytics.tickets
         where group_id = $1 and created_at >= $2 and created_at < $3)::int as created,
       count(completed_at)::int as completed, (count(*) - count(completed_at))::int as cancelled,
       avg(resolution) as average_resolution_hours,
       percentile_cont(0.5) within group (order by resolution) as median_resolution_hours,
       percentile_cont(0.85) within group (order by resolution) as p85_resolution_hours,
       percentile_cont(0.5) within group (order by cycle) as median_cycle_hours
     from closed`,
    [groupId, from, to],
  )
  return only(rows)
}

export interface TicketDay {
  date: string
  created: number
  completed: number
  open: number
}

/**
 * Every day of the period. How many were open at its beginning follows from those that are open now and what changed
 * since, so that older tickets are never read.
 */
export async function ticketsPerDay(
  db: Queryable,
  groupId: string,
  { from, to, tz }: Pick<Period, 'from' | 'to' | 'tz'>,
): Promise<TicketDay[]> {
  const { rows } = await db.query<TicketDay>(
    `with changes as (
       select created_at as at, 1 as created, 0 as completed, 0 as closed from analytics.tickets
       where group_id = $1 and created_at >= $2
       union all
       select closed_at, 0, (completed_at is not null)::int, 1 from analytics.tickets
       where group_id = $1 and closed_at >= $2
     ), start as (
       select (select count(*) from analytics.tickets where group_id = $1 and status in ('open', 'in_progress'))
         - coalesce(sum(created - closed), 0) as open from changes
     ), counted as (
       select (at at time zone $4)::date as day, sum(created)::int as created, sum(completed)::int as completed,
         sum(created - closed) as net
       from changes where at < $3 group by 1
     )
     select to_char(day, 'YYYY-MM-DD') as date, coalesce(created, 0) as created, coalesce(completed, 0) as completed,
       ((select open from start) + coalesce(sum(net) over (order by day), 0))::int as open
     from (select generate_series(
       date_trunc('day', $2::timestamptz at time zone $4), ($3::timestamptz at time zone $4) - interval '1 microsecond',
       interval '1 day')::date as day) as days
     left join counted using (day) order by day`,
    [groupId, from, to, tz],
  )
  return rows
}

export interface StaleTicket {
  id: string
  title: string
  status: 'open' | 'in_progress'
  priority: string | null
  assignee: string | null
  url: string | null
  created_at: Date
  last_activity_at: Date
}

/** Those that were untouched longest come first. */
export async function staleTickets(
  db: Queryable,
  groupId: string,
  days: number,
  limit: number,
): Promise<StaleTicket[]> {
  const { rows } = await db.query<StaleTicket>(
    `select id, title, status, priority, assignee, url, created_at, last_activity_at from analytics.tickets
     where group_id = $1 and status in ('open', 'in_progress')
       and last_activity_at < now() - $2::int * interval '1 day'
     order by last_activity_at, id limit $3`,
    [groupId, days, limit],
  )
  return rows
}

export interface OpenTickets {
  open: number
  stale: number
}

export async function countOpen(db: Queryable, groupId: string, staleDays: number): Promise<OpenTickets> {
  const { rows } = await db.query<OpenTickets>(
    `select count(*)::int as open,
       count(*) filter (where last_activity_at < now() - $2::int * interval '1 day')::int as stale
     from analytics.tickets where group_id = $1 and status in ('open', 'in_progress')`,
    [groupId, staleDays],
  )
  return only(rows)
}

/** How many were open at a time, from those that are open now and what changed since. */
export async function openAt(db: Queryable, groupId: string, at: Date): Promise<number> {
  const { rows } = await db.query<{ open: number }>(
    `select (
       (select count(*) from analytics.tickets where group_id = $1 and status in ('open', 'in_progress'))
       - (select count(*) from analytics.tickets where group_id = $1 and created_at >= $2)
       + (select count(*) from analytics.tickets where group_id = $1 and closed_at >= $2)
     )::int as open`,
    [groupId, at],
  )
  return only(rows).open
}
