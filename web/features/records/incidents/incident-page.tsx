import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import type { Incident } from '#records/contract'
import { mayWrite, type CurrentGroup } from '../../../api/session.ts'
import { inGroup } from '../../../shell/no-group.tsx'
import { RecordFailure } from '../../../shell/record-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { Card } from '../../../ui/page.tsx'
import { PageSkeleton } from '../../../ui/skeleton.tsx'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { withEvents, type Moment } from '../../../ui/thing/moments.ts'
import { ThingPage } from '../../../ui/thing/thing-page.tsx'
import { Timeline } from '../../../ui/thing/timeline.tsx'
import { useEvents } from '../../../ui/thing/use-events.ts'
import { LinkedCard, LinkedFact, useStory, WhyCard } from '../../links/index.ts'
import { spanText } from '../duration.ts'
import { recordQuery } from '../record-queries.ts'
import { ServiceLink } from '../services/service-link.tsx'
import { IncidentDialog } from './incident-dialog.tsx'
import { CloseButton, sourceName } from './incident-rows.tsx'

const route = getRouteApi('/shell/incidents/$id')

export const IncidentPage = inGroup(Found)

function Found({ group }: { group: CurrentGroup }) {
  const { id } = route.useParams()
  const { data, error, refetch } = useQuery({
    ...recordQuery(group.id, '/api/incidents/{id}', { path: { id } }),
    refetchInterval: ({ state }) => (state.data?.closed_at === null ? 15_000 : false),
  })
  if (error && !data) return <RecordFailure error={error} noun="incident" to="/incidents" onRetry={refetch} />
  return data ? <Detail key={id} group={group} incident={data} /> : <PageSkeleton />
}

function Detail({ group, incident }: { group: CurrentGroup; incident: Incident }) {
  const { id, service, cause, note, source, closed_at } = incident
  const thing = { type: 'incident', id } as const
  const [isEditing, setEditing] = useState(false)
  const { things, moments } = useStory(group.id, thing)
  const events = useEvents(group.id, { type: 'health_check', service, metadata: { id } })
  return (
    <ThingPage
      back={{ to: '/incidents', children: 'Incidents' }}
      title={cause}
      description="Incident"
      actions={
        mayWrite(group) && (
          <>
            {closed_at === null && source !== 'health_check' && (
              <CloseButton group={group} incident={incident} isMain />
            )}
            <Button icon={Pencil} onClick={() => setEditing(true)}>
              Edit incident
            </Button>
          </>
        )
      }
      facts={factsOf(group.id, incident)}
      aside={<LinkedCard group={group} thing={thing} />}
    >
      {note !== '' && (
        <Card title="Note">
          <p className="text-sm [overflow-wrap:anywhere] whitespace-pre-wrap">{note}</p>
        </Card>
      )}
      {things.length > 0 && <WhyCard groupId={group.id} thing={thing} />}
      <Timeline moments={withEvents([...momentsOf(incident), ...moments], events)} />
      {isEditing && (
        <IncidentDialog groupId={group.id} incident={incident} onClose={() => setEditing(false)} />
      )}
    </ThingPage>
  )
}

function momentsOf({ opened_at, closed_at }: Incident): Moment[] {
  return [
    { at: opened_at, title: 'Incident opened', tone: 'bad' },
    ...(closed_at === null ? [] : [{ at: closed_at, title: 'Incident closed', tone: 'good' } as const]),
  ]
}

function factsOf(groupId: string, { id, service, opened_at, closed_at, source, deployment_id }: Incident) {
  return [
    {
      name: 'Status',
      value: (
        <StatusDot status={closed_at === null ? 'error' : 'off'}>
          {closed_at === null ? 'Open' : 'Closed'}
        </StatusDot>
      ),
    },
    { name: 'Service', value: <ServiceLink groupId={groupId} name={service} /> },
    { name: 'Opened', value: <MomentText time={opened_at} /> },
    closed_at !== null && { name: 'Closed', value: <MomentText time={closed_at} /> },
    { name: 'Duration', value: spanText(opened_at, closed_at) },
    deployment_id !== null && {
      name: 'Caused by',
      value: (
        <LinkedFact
          groupId={groupId}
          thing={{ type: 'incident', id }}
          other={{ type: 'deployment', id: deployment_id }}
        />
      ),
    },
    { name: 'Reported by', value: sourceName(source) },
  ]
}
