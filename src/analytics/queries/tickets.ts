import { only, type Queryable } from './query.ts'

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
