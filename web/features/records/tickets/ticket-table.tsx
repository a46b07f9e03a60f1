import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import type { Ticket } from '#records/contract'
import { mayWrite, type CurrentGroup } from '../../../api/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { timeValue } from '../../../ui/sorting.ts'
import { Table } from '../../../ui/table.tsx'
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
        rows={tickets}
        rowKey={({ id }) => id}
        columns={[
          {
            name: 'Ticket',
            value: ({ title }) => title,
            cell: (ticket) => <TicketLink ticket={ticket} />,
          },
          {
            name: 'Status',
            value: ({ status }) => statusNames[status],
            cell: (ticket) => (
              <span className="flex flex-wrap gap-1">
                <Badge tone={statusTones[ticket.status]}>{statusNames[ticket.status]}</Badge>
                <StaleBadge ticket={ticket} />
              </span>
            ),
          },
          {
            name: 'Priority',
            value: ({ priority }) => priority,
            cell: ({ priority }) =>
              priority === null ? '–' : <Badge tone={priorityTone(priority)}>{priority}</Badge>,
          },
          { name: 'Assignee', value: ({ assignee }) => assignee, className: 'text-sm' },
          { name: 'Created', time: ({ created_at }) => created_at },
          {
            name: 'Last activity',
            short: 'Activity',
            value: ({ updated_at }) => timeValue(updated_at),
            cell: ({ last_activity_at }) => <MomentText time={last_activity_at} />,
            className: 'text-sm text-ink-soft',
          },
          {
            name: 'Actions',
            cell: (ticket) =>
              mayWrite(group) && (
                <RowMenu
                  name={ticket.title}
                  noun="ticket"
                  onEdit={() => setEdited(ticket)}
                  onDelete={() => setDeleted(ticket)}
                />
              ),
          },
        ]}
      />
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
