import { NotebookPen, Rocket } from 'lucide-react'
import type { Service } from '#records/contract'
import type { CurrentGroup } from '../../../api/session.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { DeploymentTable } from '../deployments/deployment-table.tsx'
import { devlogs } from '../notes/note-kinds.ts'
import { NoteCards } from '../notes/note-cards.tsx'
import { PagedList } from '../../../ui/paged-list.tsx'
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
