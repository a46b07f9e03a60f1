import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ExternalLink, Pencil, Trash2 } from 'lucide-react'
import type { Ticket } from '#records/contract'
import { useCurrentGroup, mayWrite, type CurrentGroup } from '../../../api/session.ts'
import { NoGroup } from '../../../shell/no-group.tsx'
import { RecordFailure } from '../../../shell/record-failure.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Markdown } from '../../../ui/markdown/markdown.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { Card } from '../../../ui/page.tsx'
import { PageSkeleton } from '../../../ui/skeleton.tsx'
import { durationText } from '../../../ui/quantity.ts'
import { withEvents, type Moment } from '../../../ui/thing/moments.ts'
import { ThingPage } from '../../../ui/thing/thing-page.tsx'
import { Timeline } from '../../../ui/thing/timeline.tsx'
import { useEvents } from '../../../ui/thing/use-events.ts'
import { AssignTicket, TicketRunCard } from '../../agents/index.ts'
import { CostLayers, LinkedCard, LinkedFact, useStory, WhyCard } from '../../links/index.ts'
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
  const thing = { type: 'ticket', id: ticket.id } as const
  const { moments } = useStory(group.id, thing)
  const events = useEvents(group.id, { type: 'ticket', metadata: { id: ticket.id } })
  return (
    <ThingPage
      back={{ to: '/tickets', children: 'Tickets' }}
      title={ticket.title}
      actions={mayWrite(group) && <Actions group={group} ticket={ticket} />}
      facts={factsOf(group.id, ticket)}
      aside={
        <>
          <CostLayers groupId={group.id} type="ticket" id={ticket.id} />
          <LinkedCard group={group} thing={thing} />
        </>
      }
    >
      <Card>
        {ticket.description.trim() === '' ? (
          <p className="text-sm text-ink-faint">No description.</p>
        ) : (
          <Markdown source={ticket.description} />
        )}
      </Card>
      <TicketRunCard {...ticket} />
      <WhyCard groupId={group.id} thing={thing} />
      <Timeline moments={withEvents([...momentsOf(ticket), ...moments], events)} />
    </ThingPage>
  )
}

function Actions({ group, ticket }: { group: CurrentGroup; ticket: Ticket }) {
  const navigate = route.useNavigate()
  const [open, setOpen] = useState<'edit' | 'delete' | undefined>()
  const close = () => setOpen(undefined)
  return (
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
      {open === 'edit' && <TicketDialog groupId={group.id} ticket={ticket} onClose={close} />}
      {open === 'delete' && (
        <DeleteTicketDialog
          groupId={group.id}
          ticket={ticket}
          onClose={close}
          onDeleted={() => void navigate({ to: '/tickets' })}
        />
      )}
    </>
  )
}

function momentsOf({ created_at, started_at, completed_at, cancelled_at }: Ticket): Moment[] {
  const at = (time: string | null, title: string, tone: 'good' | 'plain'): Moment[] =>
    time === null ? [] : [{ at: time, title, tone }]
  return [
    { at: created_at, title: 'Ticket created' },
    ...at(started_at, 'Work started', 'plain'),
    ...at(completed_at, 'Ticket done', 'good'),
    ...at(cancelled_at, 'Ticket cancelled', 'plain'),
  ]
}

function factsOf(groupId: string, ticket: Ticket) {
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
    ticket.initiative_id !== null && {
      name: 'Initiative',
      value: (
        <LinkedFact
          groupId={groupId}
          thing={{ type: 'ticket', id: ticket.id }}
          other={{ type: 'initiative', id: ticket.initiative_id }}
        />
      ),
    },
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
