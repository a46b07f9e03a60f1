import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import type { Ticket } from '#records/contract'
import { mayWrite, type CurrentGroup } from '../../../api/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { timeValue } from '../../../ui/sorting.ts'
import { Cell, Row, Table } from '../../../ui/table.tsx'
import { RowMenu } from '../row-menu.tsx'
import { DeleteTicketDialog, TicketDialog } from './ticket-dialog.tsx'
import { isStale, priorityTone, statusNames, statusTones } from './ticket-words.ts'

interface TicketTableProps {
  group: CurrentGroup
  tickets: Ticket[]
}

export function TicketTable({ group, tickets }: TicketTableProps) {
  const [edited, setEdited] = useState<Ticket | undefined>()
  const [deleted, setDeleted] = useState<Ticket | undefined>()
  return (
    <>
      <Table
        label="Tickets"
        columns={['Ticket', 'Status', 'Priority', 'Assignee', 'Created', 'Last activity', 'Actions']}
        rows={tickets}
        sortBy={{
          Ticket: ({ title }) => title,
          Status: ({ status }) => statusNames[status],
          Priority: ({ priority }) => priority,
          Assignee: ({ assignee }) => assignee,
          Created: ({ created_at }) => timeValue(created_at),
          'Last activity': ({ updated_at }) => timeValue(updated_at),
        }}
      >
        {(ticket) => (
          <Row key={ticket.id}>
            <Cell part="lead">
              <TicketLink ticket={ticket} />
            </Cell>
            <Cell label="Status">
              <span className="flex flex-wrap gap-1">
                <Badge tone={statusTones[ticket.status]}>{statusNames[ticket.status]}</Badge>
                <StaleBadge ticket={ticket} />
              </span>
            </Cell>
            <Cell label="Priority">
              {ticket.priority === null ? (
                '–'
              ) : (
                <Badge tone={priorityTone(ticket.priority)}>{ticket.priority}</Badge>
              )}
            </Cell>
            <Cell label="Assignee" className="text-sm">
              {ticket.assignee ?? '–'}
            </Cell>
            <Cell label="Created" className="text-sm text-ink-soft">
              <MomentText time={ticket.created_at} />
            </Cell>
            <Cell label="Activity" className="text-sm text-ink-soft">
              <MomentText time={ticket.last_activity_at} />
            </Cell>
            <Cell part="actions">
              {mayWrite(group) && (
                <RowMenu
                  name={ticket.title}
                  noun="ticket"
                  onEdit={() => setEdited(ticket)}
                  onDelete={() => setDeleted(ticket)}
                />
              )}
            </Cell>
          </Row>
        )}
      </Table>
      {edited && <TicketDialog groupId={group.id} ticket={edited} onClose={() => setEdited(undefined)} />}
      {deleted && (
        <DeleteTicketDialog groupId={group.id} ticket={deleted} onClose={() => setDeleted(undefined)} />
      )}
    </>
  )
}

export function TicketLink({ ticket }: { ticket: Ticket }) {
  return (
    <Link
      to="/tickets/$id"
      params={{ id: ticket.id }}
      className="font-medium [overflow-wrap:anywhere] hover:underline"
    >
      {ticket.title}
    </Link>
  )
}

export function StaleBadge({ ticket }: { ticket: Ticket }) {
  if (!isStale(ticket, Date.now())) return null
  return (
    <span title="Open, and without activity for more than 14 days" className="flex">
      <Badge tone="accent">stale</Badge>
    </span>
  )
}
