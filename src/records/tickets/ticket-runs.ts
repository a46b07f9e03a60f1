import { sql } from 'kysely'
import { notFound } from '#kernel/errors'
import type { TicketRuns } from '../writer.ts'
import type { Tickets } from './index.ts'

/** What agents do about tickets, kept on the ticket. */
export function createTicketRuns(tickets: Pick<Tickets, 'get'>): TicketRuns {
  return { get: tickets.get, lastRun, takeRun, setRun }
}

export const lastRun: TicketRuns['lastRun'] = async (db, groupId, id) => {
  const { rows } = await sql<{ run_id: string | null }>`
    select run_id from records.tickets where group_id = ${groupId} and id = ${id} for update`.execute(db)
  if (!rows[0]) throw notFound('The ticket')
  return rows[0].run_id
}

export const takeRun: TicketRuns['takeRun'] = async (db, groupId, id, runId) => {
  await sql`
    update records.tickets set run_id = ${runId}, run_result = null
    where group_id = ${groupId} and id = ${id}`.execute(db)
}

export const setRun: TicketRuns['setRun'] = async (db, groupId, id, { run_id, agent_id, status, result }) => {
  const kept = result === undefined ? sql`run_result` : sql`${result}`
  await sql`
    update records.tickets
    set agent_id = ${agent_id}, run_status = ${status}, run_result = ${kept},
      last_activity_at = greatest(last_activity_at, now()), updated_at = now()
    where group_id = ${groupId} and id = ${id} and run_id = ${run_id}`.execute(db)
}
