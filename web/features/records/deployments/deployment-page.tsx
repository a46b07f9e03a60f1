import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import type { Deployment } from '#records/contract'
import { mayWrite, type CurrentGroup } from '../../../api/session.ts'
import { inGroup } from '../../../shell/no-group.tsx'
import { RecordFailure } from '../../../shell/record-failure.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { durationText } from '../../../ui/quantity.ts'
import { PageSkeleton } from '../../../ui/skeleton.tsx'
import { withEvents, type Moment } from '../../../ui/thing/moments.ts'
import { ThingPage } from '../../../ui/thing/thing-page.tsx'
import { Timeline } from '../../../ui/thing/timeline.tsx'
import { useEvents } from '../../../ui/thing/use-events.ts'
import { CostLayers, LinkedCard, LinkedFact, useStory, WhyCard } from '../../links/index.ts'
import { recordQuery } from '../record-queries.ts'
import { ServiceLink } from '../services/service-link.tsx'
import { DeploymentDialog } from './deployment-dialog.tsx'
import { CommitText } from './deployment-table.tsx'
import { buildMs, nameOf, statusNames, statusTones } from './deployment-words.ts'

const route = getRouteApi('/shell/deployments/$id')

export const DeploymentPage = inGroup(Found)

function Found({ group }: { group: CurrentGroup }) {
  const { id } = route.useParams()
  const { data, error, refetch } = useQuery({
    ...recordQuery(group.id, '/api/deployments/{id}', { path: { id } }),
    refetchInterval: ({ state }) => (state.data?.status === 'started' ? 5_000 : false),
  })
  if (error && !data)
    return <RecordFailure error={error} noun="deployment" to="/deployments" onRetry={refetch} />
  return data ? <Detail key={id} group={group} deployment={data} /> : <PageSkeleton />
}

function Detail({ group, deployment }: { group: CurrentGroup; deployment: Deployment }) {
  const { id, service, environment } = deployment
  const thing = { type: 'deployment', id } as const
  const [isEditing, setEditing] = useState(false)
  const { things, moments } = useStory(group.id, thing)
  const events = useEvents(group.id, { type: 'deployment', service, metadata: { id } })
  const pullRequest = things.find(({ type }) => type === 'pull_request')
  return (
    <ThingPage
      back={{ to: '/deployments', children: 'Deployments' }}
      title={nameOf(deployment)}
      description={`Deployment to ${environment}`}
      actions={
        mayWrite(group) && (
          <Button icon={Pencil} onClick={() => setEditing(true)}>
            Edit deployment
          </Button>
        )
      }
      facts={factsOf(group, deployment)}
      aside={
        <>
          {pullRequest && (
            <CostLayers
              groupId={group.id}
              type="pull_request"
              id={pullRequest.id}
              title="Cost of the pull request"
            />
          )}
          <LinkedCard group={group} thing={thing} />
        </>
      }
    >
      {things.length > 0 && <WhyCard groupId={group.id} thing={thing} />}
      <Timeline moments={withEvents([...momentsOf(deployment), ...moments], events)} />
      {isEditing && (
        <DeploymentDialog groupId={group.id} deployment={deployment} onClose={() => setEditing(false)} />
      )}
    </ThingPage>
  )
}

const tones = { started: 'plain', succeeded: 'good', failed: 'bad', rolled_back: 'bad' } as const

function momentsOf({ status, started_at, finished_at }: Deployment): Moment[] {
  const ended = { title: `Deployment ${statusNames[status].toLowerCase()}`, tone: tones[status] }
  return [
    { at: started_at, title: 'Deployment started' },
    ...(finished_at === null ? [] : [{ at: finished_at, ...ended }]),
  ]
}

function factsOf(group: CurrentGroup, deployment: Deployment) {
  const { id, service, environment, status, commit, url, deployed_by, is_rework, incident_id } = deployment
  const duration = buildMs(deployment)
  return [
    {
      name: 'Status',
      value: (
        <span className="flex flex-wrap gap-1">
          <Badge tone={statusTones[status]}>{statusNames[status]}</Badge>
          {is_rework && <Badge tone="accent">rework</Badge>}
        </span>
      ),
    },
    {
      name: 'Service',
      value: <ServiceLink groupId={group.id} name={service} />,
    },
    { name: 'Environment', value: environment },
    (commit !== null || url !== null) && {
      name: commit === null ? 'Run' : 'Commit',
      value: <CommitText commit={commit} url={url} />,
    },
    deployed_by !== null && { name: 'Deployed by', value: deployed_by },
    { name: 'Started', value: <MomentText time={deployment.started_at} /> },
    duration !== null && { name: 'Duration', value: durationText(duration) },
    incident_id !== null && {
      name: 'Fixes',
      value: (
        <LinkedFact
          groupId={group.id}
          thing={{ type: 'deployment', id }}
          other={{ type: 'incident', id: incident_id }}
        />
      ),
    },
    { name: 'Source', value: deployment.source },
  ]
}
