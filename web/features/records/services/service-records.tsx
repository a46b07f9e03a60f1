import { NotebookPen, Rocket } from 'lucide-react'
import type { Service } from '#records/contract'
import type { CurrentGroup } from '../../../api/session.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { DeploymentTable } from '../deployments/deployment-table.tsx'
import { devlogs } from '../notes/note-kinds.ts'
import { NoteCards } from '../notes/note-cards.tsx'
import { PagedList } from '../../../ui/paged-list.tsx'
import { withEvents } from '../../../ui/thing/moments.ts'
import { Timeline } from '../../../ui/thing/timeline.tsx'
import { useEvents } from '../../../ui/thing/use-events.ts'
import { LinkedCard } from '../../links/index.ts'
import { listQuery } from '../record-queries.ts'

interface ServiceRecordsProps {
  group: CurrentGroup
  service: Service
}

export function ServiceDeployments({ group, service }: ServiceRecordsProps) {
  return (
    <PagedList
      query={listQuery(group.id, '/api/deployments', { query: { service: service.name } })}
      empty={
        <EmptyState icon={Rocket} title="No deployments yet">
          Deployments that name the service “{service.name}” appear here. The deployments page shows how to
          send them.
        </EmptyState>
      }
    >
      {(deployments) => <DeploymentTable group={group} deployments={deployments} />}
    </PagedList>
  )
}

export function ServiceDevlogs({ group, service }: ServiceRecordsProps) {
  return (
    <PagedList
      query={listQuery(group.id, '/api/devlogs', { query: { service_id: service.name } })}
      empty={
        <EmptyState icon={NotebookPen} title="No devlogs yet">
          What people and agents write about this service appears here.
        </EmptyState>
      }
    >
      {(notes) => <NoteCards kind={devlogs} notes={notes} />}
    </PagedList>
  )
}

/** What happened to the service, and what is linked to it. Events that it sends itself are in the console. */
export function ServiceTimeline({ group, service: { id, name, created_at } }: ServiceRecordsProps) {
  const events = useEvents(group.id, { service: name, type: 'deployment,health_check,config' })
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <Timeline moments={withEvents([{ at: created_at, title: 'Service added' }], events)} />
      <LinkedCard group={group} thing={{ type: 'service', id }} />
    </div>
  )
}
