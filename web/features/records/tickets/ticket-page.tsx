import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ExternalLink, Pencil, Trash2 } from 'lucide-react'
import type { Ticket } from '#records/contract'
import { useCurrentGroup, mayWrite, type CurrentGroup } from '../../../api/session.ts'
import { NoGroup } from '../../../shell/no-group.tsx'
import { RecordFailure } from '../../../shell/record-failure.tsx'
import { BackLink } from '../../../ui/back-link.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Markdown } from '../../../ui/markdown/markdown.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { PageSkeleton } from '../../../ui/skeleton.tsx'
import { durationText } from '../../../ui/quantity.ts'
import { FactList } from '../../../ui/fact-list.tsx'
import { AssignTicket, TicketRunCard } from '../../agents/index.ts'
import { CostLayers, LinkedCard, WhyCard } from '../../links/index.ts'
import { recordQuery, recordsKey } from '../record-queries.ts'
import { DeleteTicketDialog, TicketDialog } from './ticket-dialog.tsx'
import { StaleBadge } from './ticket-table.tsx'
import { priorityTone, statusNames, statusTones } from './ticket-words.ts'

const route = getRouteApi('/shell/tickets/$id')

const pollMs = 3_000

/** Whether an agent works on it, or waits for a person. */
const isWorkedOn = ({ run_status }: Ticket): boolean =>
  run_status === 'queued' || run_status === 'running' || run_status === 'waiting'

export function TicketPage() {
  const group = useCurrentGroup()
  const { id } = route.useParams()
  return group === null ? <NoGroup /> : <Found key={`${group.id} ${id}`} group={group} id={id} />
}

function Found({ group, id }: { group: CurrentGroup; id: string }) {
  const { data, error, refetch } = useQuery({
    ...recordQuery(group.id, '/api/tickets/{id}', { path: { id } }),
    refetchInterval: ({ state }) => (state.data && isWorkedOn(state.data) ? pollMs : false),
  })
  if (error && !data) return <RecordFailure error={error} noun="ticket" to="/tickets" onRetry={refetch} />
  return data ? <TicketDetail group={group} ticket={data} /> : <PageSkeleton />
}

function TicketDetail({ group, ticket }: { group: CurrentGroup; ticket: Ticket }) {
  const navigate = route.useNavigate()
  const [open, setOpen] = useState<'edit' | 'delete' | undefined>()
  const close = () => setOpen(undefined)
  return (
    <>
      <BackLink to="/tickets">Tickets</BackLink>
      <Page
        title={ticket.title}
        actions={
          mayWrite(group) && (
            <>
              {!isWorkedOn(ticket) && (
                <AssignTicket groupId={group.id} ticketId={ticket.id} queryKey={recordsKey(group.id)} />
              )}
              <Button icon={Pencil} onClick={() => setOpen('edit')}>
                Edit ticket
              </Button>
              <Button look="quiet" icon={Trash2} onClick={() => setOpen('delete')}>
                Delete ticket
              </Button>
            </>
          )
        }
      >
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_18rem]">
          <div className="min-w-0 space-y-5">
            <Card>
              {ticket.description.trim() === '' ? (
                <p className="text-sm text-ink-faint">No description.</p>
              ) : (
                <Markdown source={ticket.description} />
              )}
            </Card>
            <TicketRunCard {...ticket} />
            <WhyCard groupId={group.id} thing={{ type: 'ticket', id: ticket.id }} />
          </div>
          <div className="min-w-0 space-y-5">
            <FactList facts={factsOf(ticket)} />
            <CostLayers groupId={group.id} type="ticket" id={ticket.id} />
            <LinkedCard group={group} thing={{ type: 'ticket', id: ticket.id }} />
          </div>
        </div>
        {open === 'edit' && <TicketDialog groupId={group.id} ticket={ticket} onClose={close} />}
        {open === 'delete' && (
          <DeleteTicketDialog
            groupId={group.id}
            ticket={ticket}
            onClose={close}
            onDeleted={() => void navigate({ to: '/tickets' })}
          />
        )}
      </Page>
    </>
  )
}

function factsOf(ticket: Ticket) {
  const { status, priority, assignee, created_at, started_at, completed_at, last_activity_at, url } = ticket
  return [
    {
      name: 'Status',
      value: (
        <span className="flex gap-1">
          <Badge tone={statusTones[status]}>{statusNames[status]}</Badge>
          <StaleBadge ticket={ticket} />
        </span>
      ),
    },
    {
      name: 'Priority',
      value: priority === null ? '–' : <Badge tone={priorityTone(priority)}>{priority}</Badge>,
    },
    { name: 'Assignee', value: assignee ?? '–' },
    { name: 'Created', value: <MomentText time={created_at} /> },
    { name: 'Started', value: started_at === null ? '–' : <MomentText time={started_at} /> },
    { name: 'Completed', value: completed_at === null ? '–' : <MomentText time={completed_at} /> },
    ...(completed_at === null
      ? []
      : [{ name: 'Resolution', value: durationText(Date.parse(completed_at) - Date.parse(created_at)) }]),
    { name: 'Last activity', value: <MomentText time={last_activity_at} /> },
    {
      name: 'Source',
      value:
        url === null ? (
          ticket.source
        ) : (
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            className="inline-flex items-center gap-1 text-accent hover:underline"
          >
            {ticket.source} <ExternalLink aria-hidden className="size-3" />
          </a>
        ),
    },
  ]
}
