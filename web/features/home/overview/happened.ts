import { useQuery } from '@tanstack/react-query'
import { MessagesSquare, Rocket, Siren, Target, type LucideIcon } from 'lucide-react'
import type { InitiativeSummary } from '#initiatives/contract'
import type { Deployment, Incident } from '#records/contract'
import type { TranscriptSession } from '#transcripts/contract'
import { counted } from '../../../ui/quantity.ts'
import { deploymentsGlance, incidentsGlance, initiativesGlance, sessionsGlance } from './happened-queries.ts'

/** One thing that happened, and where it can be read. */
export interface Happening {
  id: string
  icon: LucideIcon
  what: string
  title: string
  note: string
  time: string
  isBad: boolean
  go: { to: string; search?: Record<string, unknown> }
}

const maxShown = 12

/** What happened in the group, the newest first. What cannot be read is left out. Undefined while it is loading. */
export function useHappened(groupId: string): Happening[] | undefined {
  const lists = [
    read(useQuery(deploymentsGlance(groupId)), ofDeployment),
    read(useQuery(incidentsGlance(groupId)), ofIncident),
    read(useQuery(initiativesGlance(groupId)), ofInitiative),
    read(useQuery(sessionsGlance(groupId)), ofSession),
  ]
  if (lists.includes(undefined)) return undefined
  return lists
    .flatMap((list) => list ?? [])
    .toSorted((one, other) => other.time.localeCompare(one.time))
    .slice(0, maxShown)
}

function read<Item>(
  { data, error }: { data: Item[] | undefined; error: unknown },
  toHappenings: (item: Item) => Happening[],
): Happening[] | undefined {
  if (data) return data.flatMap(toHappenings)
  return error ? [] : undefined
}

const ofDeployment = ({ id, service, version, status, environment, started_at }: Deployment): Happening[] => [
  {
    ...{ id, icon: Rocket, what: 'Deployment', time: started_at, isBad: status === 'failed' },
    title: `${service} ${version ?? ''}`.trim(),
    note: `${status.replaceAll('_', ' ')} in ${environment}`,
    go: { to: '/deployments', search: { service } },
  },
]

const ofIncident = ({ id, service, cause, opened_at, closed_at }: Incident): Happening[] => [
  {
    ...{ id, icon: Siren, what: 'Incident', time: opened_at, isBad: closed_at === null },
    title: `${service}: ${cause}`,
    note: closed_at === null ? 'open' : 'closed',
    go: { to: '/incidents', search: { service } },
  },
]

/** Of an initiative's stand-ups the last one is known. */
const ofInitiative = ({ id, slug, title, last_standup_at: time }: InitiativeSummary): Happening[] =>
  time === null
    ? []
    : [
        {
          ...{ id, icon: Target, what: 'Stand-up', title, time, note: '', isBad: false },
          go: { to: `/initiatives/${slug}` },
        },
      ]

function ofSession({ id, title, message_count, started_at, ended_at }: TranscriptSession): Happening[] {
  const time = ended_at ?? started_at
  if (time === null) return []
  return [
    {
      ...{ id, icon: MessagesSquare, what: 'Session', time, isBad: false },
      title: title ?? 'Untitled session',
      note: counted(message_count, 'message'),
      go: { to: `/transcripts/${id}` },
    },
  ]
}
