import { useState, type DragEvent } from 'react'
import { call } from '../../../api/client.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { ArrowRightLeft } from 'lucide-react'
import { toast } from 'sonner'
import type { Ticket, TicketStatus } from '#records/contract'
import { mayWrite, type CurrentGroup } from '../../../api/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { Menu, MenuItem, MenuLabel } from '../../../ui/menu.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { PagedList } from '../../../ui/paged-list.tsx'
import { listQuery, useRecordChange } from '../record-queries.ts'
import { StaleBadge, TicketLink } from './ticket-table.tsx'
import type { TicketsAddress } from './tickets-address.ts'
import { priorityTone, statusNames, ticketStatuses } from './ticket-words.ts'

interface TicketBoardProps {
  group: CurrentGroup
  filter: Omit<TicketsAddress, 'view' | 'new'>
}

/** One column per status. A card moves by dragging it or with its menu. */
export function TicketBoard({ group, filter }: TicketBoardProps) {
  const change = useRecordChange(group.id)
  const move = (id: string, status: TicketStatus) =>
    change.mutate(() => call('PATCH', '/api/tickets/{id}', { path: { id }, body: { status } }), {
      onError: (error) => toast.error('Ticket not moved', { description: error.message }),
    })
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2 xl:grid-cols-4">
      {ticketStatuses.map((status) => (
        <Column
          key={status}
          group={group}
          status={status}
          filter={filter}
          onMove={mayWrite(group) ? move : undefined}
        />
      ))}
    </div>
  )
}

interface ColumnProps extends TicketBoardProps {
  status: TicketStatus
  onMove: ((id: string, status: TicketStatus) => void) | undefined
}

const cardType = 'application/x-signalbox-ticket'

function Column({ group, status, filter, onMove }: ColumnProps) {
  const [isOver, setOver] = useState(false)
  const query = listQuery(group.id, '/api/tickets', { query: { ...filter, status, limit: 25 } })
  const { data, hasNextPage } = useInfiniteQuery(query)
  const count = data?.pages.reduce((sum, page) => sum + page.data.length, 0)
  const onDragOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes(cardType)) return
    event.preventDefault()
    setOver(true)
  }
  const onDrop = (event: DragEvent) => {
    setOver(false)
    onMove?.(event.dataTransfer.getData(cardType), status)
  }
  return (
    <section
      aria-label={statusNames[status]}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
      className={clsx('rounded-xl border bg-sunken p-3', isOver ? 'border-primary' : 'border-line')}
    >
      <h2 className="mb-3 flex justify-between px-1 text-sm font-semibold">
        {statusNames[status]}
        {count !== undefined && (
          <span
            title={hasNextPage ? 'More are not loaded yet' : undefined}
            className="font-normal text-ink-faint tabular-nums"
          >
            {hasNextPage ? `${count}+` : count}
          </span>
        )}
      </h2>
      <PagedList
        query={query}
        every={15_000}
        empty={<p className="px-1 pb-2 text-sm text-ink-faint">No tickets</p>}
      >
        {(tickets) => (
          <ul className="space-y-2">
            {tickets.map((ticket) => (
              <Card key={ticket.id} ticket={ticket} onMove={onMove} />
            ))}
          </ul>
        )}
      </PagedList>
    </section>
  )
}

function Card({ ticket, onMove }: { ticket: Ticket; onMove: ColumnProps['onMove'] }) {
  return (
    <li
      draggable={onMove !== undefined}
      onDragStart={(event) => event.dataTransfer.setData(cardType, ticket.id)}
      className="rounded-lg border border-line bg-surface p-3 text-sm shadow-low"
    >
      <div className="flex items-start gap-1">
        <span className="min-w-0 flex-1">
          <TicketLink ticket={ticket} />
        </span>
        {onMove && (
          <Menu
            trigger={
              <IconButton label={`Move ${ticket.title}`} icon={ArrowRightLeft} className="-mt-1.5 -mr-1.5" />
            }
          >
            <MenuLabel>Move to</MenuLabel>
            {ticketStatuses.map((status) => (
              <MenuItem
                key={status}
                checked={status === ticket.status}
                onSelect={() => status !== ticket.status && onMove(ticket.id, status)}
              >
                {statusNames[status]}
              </MenuItem>
            ))}
          </Menu>
        )}
      </div>
      <p className="mt-2 flex flex-wrap items-center gap-1.5 text-xs text-ink-faint">
        {ticket.priority !== null && <Badge tone={priorityTone(ticket.priority)}>{ticket.priority}</Badge>}
        <StaleBadge ticket={ticket} />
        {ticket.assignee !== null && <span>{ticket.assignee}</span>}
        <MomentText time={ticket.last_activity_at} />
      </p>
    </li>
  )
}
