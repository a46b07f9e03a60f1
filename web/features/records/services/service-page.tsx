import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Pencil, RefreshCw } from 'lucide-react'
import { toast } from 'sonner'
import type { Service } from '#records/contract'
import { useCurrentGroup, mayManage, type CurrentGroup } from '../../../api/session.ts'
import { NoGroup } from '../../../shell/no-group.tsx'
import { RecordMissing } from '../../../shell/record-failure.tsx'
import { BackLink } from '../../../ui/back-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageSkeleton } from '../../../ui/skeleton.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { recordQuery, useRecordChange } from '../record-queries.ts'
import { ServiceDeployments, ServiceDevlogs, ServiceTimeline } from './service-records.tsx'
import { CheckList } from './check-list.tsx'
import { HealthCards } from './health-cards.tsx'
import { IncidentList } from './incident-list.tsx'
import { MaintenanceList } from './maintenance-list.tsx'
import { ServiceDialog } from './service-dialog.tsx'
import { ServiceStateText } from './service-state.tsx'

const route = getRouteApi('/shell/services/$name')

export function ServicePage() {
  const group = useCurrentGroup()
  const { name } = route.useParams()
  return group === null ? <NoGroup /> : <Found key={`${group.id} ${name}`} group={group} name={name} />
}

function Found({ group, name }: { group: CurrentGroup; name: string }) {
  const found = useQuery({
    ...recordQuery(group.id, '/api/services', { query: { name } }),
    refetchInterval: 15_000,
  })
  if (found.error && !found.data) return <FailureNotice error={found.error} onRetry={() => found.refetch()} />
  if (!found.data) return <PageSkeleton />
  const service = found.data.data[0]
  return service ? (
    <ServiceDetail group={group} service={service} />
  ) : (
    <RecordMissing noun="service" to="/services" />
  )
}

function ServiceDetail({ group, service }: { group: CurrentGroup; service: Service }) {
  const { tab = 'incidents', since, until } = route.useSearch()
  const navigate = route.useNavigate()
  const [isEditing, setEditing] = useState(false)
  const tabs = [
    { id: 'incidents', label: 'Incidents', content: <IncidentList group={group} service={service} /> },
    {
      id: 'checks',
      label: 'Checks',
      content: (
        <CheckList
          group={group}
          service={service}
          since={since}
          until={until}
          onClear={() => void navigate({ search: { tab: 'checks' }, replace: true, resetScroll: false })}
        />
      ),
    },
    { id: 'maintenance', label: 'Maintenance', content: <MaintenanceList group={group} service={service} /> },
    {
      id: 'deployments',
      label: 'Deployments',
      content: <ServiceDeployments group={group} service={service} />,
    },
    { id: 'timeline', label: 'Timeline', content: <ServiceTimeline group={group} service={service} /> },
    { id: 'devlogs', label: 'Devlogs', content: <ServiceDevlogs group={group} service={service} /> },
  ]
  return (
    <>
      <BackLink to="/services">Services</BackLink>
      <Page
        title={service.title}
        description={
          service.description === '' ? (service.url ?? 'Its state comes from alerts.') : service.description
        }
        actions={
          mayManage(group.role) && (
            <>
              {service.url !== null && <CheckNow group={group} service={service} />}
              <Button icon={Pencil} onClick={() => setEditing(true)}>
                Edit service
              </Button>
            </>
          )
        }
      >
        <div className="space-y-5">
          <div>
            <ServiceStateText service={service} />
          </div>
          {service.url !== null && <HealthCards group={group} service={service} />}
          <Tabs
            label="Records of the service"
            value={tab}
            onChange={(next) => void navigate({ search: { tab: next }, replace: true, resetScroll: false })}
            tabs={tabs}
          />
        </div>
        {isEditing && (
          <ServiceDialog groupId={group.id} service={service} onClose={() => setEditing(false)} />
        )}
      </Page>
    </>
  )
}

function CheckNow({ group, service }: { group: CurrentGroup; service: Service }) {
  const check = useRecordChange(group.id)
  const run = () =>
    check.mutate(() => call('POST', '/api/services/{id}/check', { path: { id: service.id } }), {
      onSuccess: () => toast.success('Check started', { description: 'Its result appears under Checks.' }),
      onError: (error) => toast.error(error.message),
    })
  return (
    <Button icon={RefreshCw} busy={check.isPending} onClick={run}>
      Check now
    </Button>
  )
}
