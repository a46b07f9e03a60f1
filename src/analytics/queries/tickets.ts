import type { StepCounts } from '../calendar.ts'
import type { Period } from './period.ts'
import { only, secondsBetween, type Queryable } from './query.ts'

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

export interface ClosedSums {
  is_current: boolean
  average_resolution_hours: number | null
  /** The median and the 85th percentile; null without a value. */
  resolution_hours: [number, number] | null
  median_cycle_hours: number | null
}

/** `closed` are those that were completed or cancelled. */
export type TicketSteps = StepCounts<'created' | 'completed' | 'closed'>

export interface TicketCounts {
  /** A period in which none was completed is left out. */
  sums: ClosedSums[]
  /** Up to now, also where the period ended before: they show how many were open. */
  steps: TicketSteps[]
}

/** Clocks that disagree must not make a time negative. */
export async function countTickets(
  db: Queryable,
  groupId: string,
  period: Period,
  steps: readonly Date[],
): Promise<TicketCounts> {
  const { rows } = await db.query<TicketCounts>(
    `with closed as materialized (
       select width_bucket(closed_at, $6::timestamptz[]) - 1 as step, closed_at, completed_at, created_at, started_at
       from analytics.tickets where group_id = $1 and closed_at >= $2
     ), measured as (
       select closed_at >= $4 as is_current,
         greatest(${secondsBetween('created_at', 'completed_at')}, 0) / 3600 as resolution,
         case when started_at is not null
           then greatest(${secondsBetween('started_at', 'completed_at')}, 0) / 3600 end as cycle
       from closed where completed_at is not null and closed_at < $5 and (closed_at < $3 or closed_at >= $4)
     ), sums as (
       select is_current, avg(resolution) as average_resolution_hours,
         percentile_cont(array[0.5, 0.85]) within group (order by resolution) as resolution_hours,
         percentile_cont(0.5) within group (order by cycle) as median_cycle_hours
       from measured group by is_current
     ), changes as (
       select step, 0 as created, count(completed_at) as completed, count(*) as closed from closed group by step
       union all
       select width_bucket(created_at, $6::timestamptz[]) - 1, count(*), 0, 0
       from analytics.tickets where group_id = $1 and created_at >= $2 group by 1
     ), steps as (
       select step, sum(created) as created, sum(completed) as completed, sum(closed) as closed from changes group by step
     )
     select coalesce((select json_agg(sums) from sums), '[]') as sums,
       coalesce((select json_agg(steps) from steps), '[]') as steps`,
    [groupId, period.previousFrom, period.previousTo, period.from, period.to, steps],
  )
  return only(rows)
}

/** How many were completed in each step of both periods. */
export async function countCompleted(
  db: Queryable,
  groupId: string,
  { previousFrom, to }: Period,
  steps: readonly Date[],
): Promise<StepCounts<'completed'>[]> {
  const { rows } = await db.query<StepCounts<'completed'>>(
    `select width_bucket(completed_at, $4::timestamptz[]) - 1 as step, count(*)::int as completed
     from analytics.tickets where group_id = $1 and completed_at >= $2 and completed_at < $3 group by 1`,
    [groupId, previousFrom, to, steps],
  )
  return rows
}
