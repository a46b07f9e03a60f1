import { sql } from 'kysely'
import type { AttentionSource } from '#kernel/attention'
import type { Person } from '#kernel/auth'
import type { Db } from '../record-store.ts'

/** As the page of tickets marks them. */
const staleDays = 14

interface StaleTicket {
  id: string
  title: string
  assignee: string
  last_activity_at: Date
}

/** Trackers name people in their own ways: by name, by address, or by what is before its @. */
export async function staleTicketsOf(
  db: Db,
  groupId: string,
  { name, email }: Person,
): Promise<StaleTicket[]> {
  const names = [name, email, email.split('@')[0] ?? ''].map((each) => each.trim().toLowerCase())
  const { rows } = await sql<StaleTicket>`
    select id, title, assignee, last_activity_at from records.tickets
    where group_id = ${groupId} and status in ('open', 'in_progress')
      and last_activity_at < now() - ${staleDays}::int * interval '1 day'
      and lower(assignee) = any (${names.filter((each) => each !== '')}::text[])
    order by last_activity_at limit 200`.execute(db)
  return rows
}

/** Tickets of the person who asks that nobody has touched for two weeks. */
export const staleTickets = (db: Db): AttentionSource => ({
  kind: 'ticket_stale',
  severity: 'info',
  needs: 'read',
  several: (things) => ({
    title: `${things.length} of your tickets have not moved for ${staleDays} days`,
    path: `/tickets?stale_days=${staleDays}`,
  }),
  async findFor(groupId, person) {
    const rows = await staleTicketsOf(db, groupId, person)
    return rows.map(({ id, title, last_activity_at: since }) => ({
      name: title,
      title: `“${title}” has not moved for ${staleDays} days`,
      detail: 'It is assigned to you. Continue it, or close it.',
      path: `/tickets/${id}`,
      since,
    }))
  },
})
