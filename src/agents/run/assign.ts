import type { Membership, Principal } from '#kernel/auth'
import type { Config } from '#kernel/config'
import { Fault, faults } from '#kernel/errors'
import type { AssignBody } from '../shapes/ask.ts'
import { isOpen, readStatus, type RunRow } from './run-store.ts'
import type { Runs } from './runs.ts'
import { requestAbout, tellTicket, type TicketDeps } from './ticket.ts'

export interface AssignDeps extends TicketDeps {
  config: Config
  runs: Runs
  /** Where this server is reached from the same machine. */
  address(): string
}

export type Assign = (
  principal: Principal,
  group: Membership,
  ticketId: string,
  body: AssignBody,
) => Promise<RunRow>

/** Gives a ticket to an agent. One run at a time works on a ticket. */
export function createAssign({ config, runs, tickets, events, address }: AssignDeps): Assign {
  return async (principal, group, ticketId, body) => {
    const ticket = await tickets.get(group.id, ticketId)
    const request = requestAbout(ticket, config.PUBLIC_URL ?? address(), body.request)
    const row = await runs.ask(
      principal,
      group,
      body.agent_id,
      { request },
      {
        ticket: { id: ticket.id, title: ticket.title },
        async within(transaction, made) {
          const before = await tickets.lastRun(transaction, group.id, ticketId)
          const status = before && (await readStatus(transaction, group.id, before))
          if (status && isOpen({ status }))
            throw new Fault(
              faults.conflict,
              'An agent already works on this ticket. Wait for it, or cancel its run.',
            )
          await tickets.takeRun(transaction, group.id, ticketId, made.id)
          await tellTicket({ tickets }, transaction, made)
        },
      },
    )
    events.emit('activity', {
      ...{ groupId: group.id, by: principal.user?.id ?? null, type: 'ticket', severity: 'info' },
      ...{ service: null, source: 'agents', message: '' },
      title: `Ticket assigned to ${row.agent_id}: ${ticket.title}`,
      metadata: {
        id: ticket.id,
        run_id: row.id,
        agent_id: row.agent_id,
        api_key_id: principal.key?.id ?? null,
      },
    })
    return row
  }
}
