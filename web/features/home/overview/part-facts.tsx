import type { Run } from '#agents/contract'
import type { EventStats } from '#console/contract'
import type { InitiativeSummary } from '#initiatives/contract'
import type { Deployment, Devlog, Service, Ticket } from '#records/contract'
import type { Approval } from '#sql/contract'
import type { TranscriptSession } from '#transcripts/contract'
import { MomentText } from '../../../ui/moment-text.tsx'
import { countText, counted, shortCount } from '../../../ui/quantity.ts'
import type { PartFacts } from './part-card.tsx'
import type { Glance } from './part-queries.ts'

/** What each card says, from what its part returned. */

const atLeast = <Item,>({ items, hasMore }: Glance<Item>): string => `${items.length}${hasMore ? '+' : ''}`

export function approvalFacts(glance: Glance<Approval>): PartFacts {
  const [oldest] = glance.items.toSorted((one, other) => one.created_at.localeCompare(other.created_at))
  if (!oldest) return { value: '0 waiting', note: 'Statements that need a person appear here' }
  return {
    value: `${atLeast(glance)} waiting`,
    note: (
      <>
        the oldest asked <MomentText time={oldest.created_at} />
      </>
    ),
    isUrgent: true,
  }
}

export function runFacts({ items }: Glance<Run>): PartFacts {
  const count = (status: Run['status']) => items.filter((run) => run.status === status).length
  const [waiting, active] = [count('waiting'), count('running') + count('queued')]
  const [last] = items
  if (!last) return { value: 'No runs', note: 'Ask an agent to do something' }
  const note = (
    <>
      last run <MomentText time={last.created_at} />
    </>
  )
  if (waiting > 0) return { value: `${waiting} waiting for a person`, note, isUrgent: true }
  return { value: active > 0 ? `${active} running` : 'None running', note }
}

export function eventFacts({ total, by_severity }: EventStats): PartFacts {
  const errors = (by_severity['error'] ?? 0) + (by_severity['critical'] ?? 0)
  if (total === 0) return { value: 'No events', note: 'in the last 24 hours' }
  return {
    value: `${shortCount(total)} ${total === 1 ? 'event' : 'events'}`,
    note: `${countText(errors)} with an error, in the last 24 hours`,
  }
}

export function serviceFacts(services: readonly Service[]): PartFacts {
  const down = services.filter(({ state }) => state === 'down')
  if (services.length === 0) return { value: 'No services', note: 'Register one to have it checked' }
  return {
    value: down.length === 0 ? 'No service down' : `${down.length} down`,
    note: down.length === 0 ? `of ${services.length}` : down.map(({ name }) => name).join(', '),
    isUrgent: down.length > 0,
  }
}

export function deploymentFacts({ items: [last] }: Glance<Deployment>): PartFacts {
  if (!last) return { value: 'No deployments', note: 'Report them by API or webhook' }
  return {
    value: `${last.service} ${last.version ?? ''}`.trim(),
    note: (
      <>
        {`${last.status.replaceAll('_', ' ')} in ${last.environment}, `}
        <MomentText time={last.started_at} />
      </>
    ),
    isUrgent: last.status === 'failed',
  }
}

export function sessionFacts({ items: [last] }: Glance<TranscriptSession>): PartFacts {
  if (!last) return { value: 'No sessions', note: 'of coding assistants yet' }
  const time = last.ended_at ?? last.started_at
  return {
    value: last.title ?? 'Untitled session',
    note: (
      <>
        {`${counted(last.message_count, 'message')}${time === null ? '' : ', '}`}
        {time !== null && <MomentText time={time} />}
      </>
    ),
  }
}

export function standupFacts(glance: Glance<InitiativeSummary>): PartFacts {
  if (glance.items.length === 0) return { value: 'No initiatives', note: 'Create one to hold stand-ups' }
  const last = glance.items
    .flatMap(({ last_standup_at }) => last_standup_at ?? [])
    .toSorted()
    .at(-1)
  return {
    value: `${atLeast(glance)} active ${glance.items.length === 1 ? 'initiative' : 'initiatives'}`,
    note:
      last === undefined ? (
        'no stand-up yet'
      ) : (
        <>
          last stand-up <MomentText time={last} />
        </>
      ),
  }
}

export function ticketFacts(glance: Glance<Ticket>): PartFacts {
  if (glance.items.length === 0) return { value: '0 open', note: 'No ticket is open' }
  const started = glance.items.filter(({ status }) => status === 'in_progress').length
  return { value: `${atLeast(glance)} open`, note: `${started} in progress` }
}

export function devlogFacts({ items: [last] }: Glance<Devlog>): PartFacts {
  if (!last) return { value: 'No devlogs', note: 'Written by people and agents' }
  return { value: last.title, note: <MomentText time={last.created_at} /> }
}
