import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Pause, Play } from 'lucide-react'
import type { HealthReport } from '#analytics/contract'
import type { Service, ServiceState } from '#records/contract'
import { mayManage, type CurrentGroup } from '../../../api/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { HeartbeatBars } from '../../../ui/heartbeat-bars.tsx'
import { MenuItem } from '../../../ui/menu.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { timeZone } from '../../../ui/moment.ts'
import { durationText, uptimeText } from '../../../ui/quantity.ts'
import { timeValue } from '../../../ui/sorting.ts'
import { Cell, Row, Table } from '../../../ui/table.tsx'
import { DeleteDialog } from '../delete-dialog.tsx'
import { recordQuery, useRecordChange } from '../record-queries.ts'
import { RowMenu } from '../row-menu.tsx'
import { beatsOfBuckets } from './beats.ts'
import { ServiceStateText } from './service-state.tsx'

interface ServiceTableProps {
  group: CurrentGroup
  services: Service[]
  onEdit: (service: Service) => void
}

export function ServiceTable({ group, services, onEdit }: ServiceTableProps) {
  const [deleted, setDeleted] = useState<Service | undefined>()
  const health = useQuery({
    ...recordQuery(group.id, '/api/analytics/health', { query: { days: '30', tz: timeZone() } }),
    refetchInterval: 60_000,
  })
  const columns = ['Service', 'State', 'Last 30 days', 'Uptime', 'Latency', 'Checked']
  return (
    <>
      <Table
        label="Services"
        columns={[...columns, 'Actions']}
        rows={services.toSorted(byUrgency)}
        sortBy={{
          Service: ({ title }) => title,
          State: ({ state }) => state,
          Latency: ({ last_latency_ms }) => last_latency_ms,
          Checked: ({ last_checked_at }) => timeValue(last_checked_at),
        }}
      >
        {(service) => (
          <ServiceRow
            key={service.id}
            group={group}
            service={service}
            health={health.data?.services.find(({ id }) => id === service.id)}
            onEdit={() => onEdit(service)}
            onDelete={() => setDeleted(service)}
          />
        )}
      </Table>
      {deleted && (
        <DeleteDialog
          groupId={group.id}
          remove={() => call('DELETE', '/api/services/{id}', { path: { id: deleted.id } })}
          noun="service"
          name={deleted.title}
          onClose={() => setDeleted(undefined)}
        >
          <p>Its checks, incidents and maintenance windows are deleted. Its deployments and devlogs stay.</p>
        </DeleteDialog>
      )}
    </>
  )
}

const urgency: Record<ServiceState, number> = { down: 0, maintenance: 1, up: 2, unknown: 3 }
const urgencyOf = ({ is_paused, state }: Service): number => (is_paused ? 4 : urgency[state])

/** What is down comes first, what nothing is known of last. */
const byUrgency = (a: Service, b: Service): number =>
  urgencyOf(a) - urgencyOf(b) || a.title.localeCompare(b.title)

interface ServiceRowProps {
  group: CurrentGroup
  service: Service
  health: HealthReport['services'][number] | undefined
  onEdit: () => void
  onDelete: () => void
}

function ServiceRow({ group, service, health, onEdit, onDelete }: ServiceRowProps) {
  const change = useRecordChange(group.id)
  const pause = () =>
    change.mutate(() =>
      call('PATCH', '/api/services/{id}', {
        path: { id: service.id },
        body: { is_paused: !service.is_paused },
      }),
    )
  return (
    <Row>
      <Cell part="lead">
        <div className="min-w-0">
          <Link to="/services/$name" params={{ name: service.name }} className="font-medium hover:underline">
            {service.title}
          </Link>{' '}
          {service.is_public && <Badge tone="info">public</Badge>}
          <p
            className="max-w-72 truncate text-xs xl:max-w-96 text-ink-faint"
            title={service.url ?? undefined}
          >
            {service.url ?? 'state comes from alerts'}
          </p>
        </div>
      </Cell>
      <Cell label="State">
        <ServiceStateText service={service} />
      </Cell>
      <Cell label="30 days" className="w-64">
        {health && (
          <HeartbeatBars label={`${service.title}, last 30 days`} beats={beatsOfBuckets(health.buckets)} />
        )}
      </Cell>
      <Cell label="Uptime">
        {typeof health?.uptime_percent === 'number' ? uptimeText(health.uptime_percent) : 'no data'}
      </Cell>
      <Cell label="Latency">
        {service.last_latency_ms === null ? '–' : durationText(service.last_latency_ms)}
      </Cell>
      <Cell label="Checked" className="text-sm text-ink-soft">
        {service.last_checked_at === null ? 'never' : <MomentText time={service.last_checked_at} />}
      </Cell>
      <Cell part="actions">
        {mayManage(group.role) && (
          <RowMenu name={service.title} noun="service" onEdit={onEdit} onDelete={onDelete}>
            {service.url !== null && (
              <MenuItem icon={service.is_paused ? Play : Pause} onSelect={pause}>
                {service.is_paused ? 'Resume checks' : 'Pause checks'}
              </MenuItem>
            )}
          </RowMenu>
        )}
      </Cell>
    </Row>
  )
}
