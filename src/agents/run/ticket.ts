import type { Kysely } from 'kysely'
import type { TicketRuns } from '#records/contract'
import type { Events } from '#kernel/events'
import { untrusted } from '#kernel/agent-loop'
import type { AgentTables } from '../tables.ts'
import { isOpen, type RunRow } from './run-store.ts'

export interface TicketDeps {
  tickets: TicketRuns
  events: Events
}

const task =
  'Do what the ticket below asks for, as far as your tools allow it. Then report what you did, what you found and what is left.'

interface Described {
  id: string
  title: string
  description: string
  /** Where it comes from. */
  url: string | null
}

/** What an agent is asked about a ticket, which anybody may have written. */
export function requestAbout(ticket: Described, address: string, request = task): string {
  const facts = [
    `Title: ${ticket.title}`,
    `Link: ${address}/tickets/${ticket.id}`,
    ...(ticket.url === null ? [] : [`Tracker: ${ticket.url}`]),
  ]
  return `${request}\n\n${untrusted('ticket', `${facts.join('\n')}\n\n${ticket.description}`.trimEnd())}`
}

const maxResult = 20_000

/** The ticket of a run says how the run goes, and what came of it. Runs of no ticket say nothing. */
export async function tellTicket(
  { tickets }: Pick<TicketDeps, 'tickets'>,
  db: Kysely<AgentTables>,
  { id, group_id, agent_id, ticket, status, response, error }: RunRow,
): Promise<void> {
  if (!ticket) return
  const said = status === 'completed' ? response : status === 'failed' ? error?.message : null
  await tickets.setRun(db, group_id, ticket.id, {
    ...{ run_id: id, agent_id, status },
    result: isOpen({ status }) ? undefined : (said?.slice(0, maxResult).toWellFormed() ?? null),
  })
}

/** The end of what an agent did about a ticket, in the console. */
export function announceEnd({ events }: Pick<TicketDeps, 'events'>, row: RunRow): void {
  if (!row.ticket || isOpen(row)) return
  const { agent_id, group_id, id, status, ticket } = row
  events.emit('activity', {
    ...{ groupId: group_id, by: row.started_by, type: 'ticket', service: null, source: 'agents' },
    severity: status === 'failed' ? 'warning' : 'info',
    title: `${agent_id} ${endings[status] ?? 'ended'}: ${ticket.title}`,
    message: row.error?.message ?? '',
    metadata: { id: ticket.id, run_id: id, agent_id, status },
  })
}

const endings: Partial<Record<RunRow['status'], string>> = {
  completed: 'finished with the ticket',
  failed: 'failed with the ticket',
  cancelled: 'was stopped on the ticket',
}
