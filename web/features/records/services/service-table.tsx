import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Pause, Play } from 'lucide-react'
import type { Service, ServiceState } from '#records/contract'
import { mayManage, type CurrentGroup } from '../../../api/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { HeartbeatBars } from '../../../ui/heartbeat-bars.tsx'
import { MenuItem } from '../../../ui/menu.tsx'
import { timeZone } from '../../../ui/moment.ts'
import { durationText, uptimeText } from '../../../ui/quantity.ts'
import { Table } from '../../../ui/table.tsx'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { recordQuery, useRecordChange, recordsKey } from '../record-queries.ts'
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
  const healthOf = (serviceId: string) => health.data?.services.find(({ id }) => id === serviceId)
  const change = useRecordChange(group.id)
  const pause = ({ id, is_paused }: Service) =>
    change.mutate(() =>
      call('PATCH', '/api/services/{id}', { path: { id }, body: { is_paused: !is_paused } }),
    )
  return (
    <>
      <Table
        label="Services"
        rows={services.toSorted(byUrgency)}
        rowKey={({ id }) => id}
        columns={[
          {
            name: 'Service',
            value: ({ title }) => title,
            cell: (service) => <ServiceName service={service} />,
          },
          {
            name: 'State',
            value: ({ state }) => state,
            cell: (service) => <ServiceStateText service={service} />,
          },
          {
            name: 'Last 30 days',
            short: '30 days',
            className: 'w-64',
            cell: ({ id, title }) => {
              const buckets = healthOf(id)?.buckets
              return (
                buckets && <HeartbeatBars label={`${title}, last 30 days`} beats={beatsOfBuckets(buckets)} />
              )
            },
          },
          {
            name: 'Uptime',
            cell: ({ id }) => {
              const uptime = healthOf(id)?.uptime_percent
              return typeof uptime === 'number' ? uptimeText(uptime) : 'no data'
            },
          },
          {
            name: 'Latency',
            value: ({ last_latency_ms }) => last_latency_ms,
            cell: ({ last_latency_ms: latency }) => (latency === null ? '–' : durationText(latency)),
          },
          { name: 'Checked', time: ({ last_checked_at }) => last_checked_at, none: 'never' },
          {
            name: 'Actions',
            cell: (service) =>
              mayManage(group.role) && (
                <RowMenu
                  name={service.title}
                  noun="service"
                  onEdit={() => onEdit(service)}
                  onDelete={() => setDeleted(service)}
                >
                  {service.url !== null && (
                    <MenuItem icon={service.is_paused ? Play : Pause} onSelect={() => pause(service)}>
                      {service.is_paused ? 'Resume checks' : 'Pause checks'}
                    </MenuItem>
                  )}
                </RowMenu>
              ),
          },
        ]}
      />
      {deleted && (
        <DeleteDialog
          queryKey={recordsKey(group.id)}
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

function ServiceName({ service: { name, title, url, is_public } }: { service: Service }) {
  return (
    <div className="min-w-0">
      <Link to="/services/$name" params={{ name }} className="font-medium hover:underline">
        {title}
      </Link>{' '}
      {is_public && <Badge tone="info">public</Badge>}
      <p className="max-w-72 truncate text-xs xl:max-w-96 text-ink-faint" title={url ?? undefined}>
        {url ?? 'state comes from alerts'}
      </p>
    </div>
  )
}
