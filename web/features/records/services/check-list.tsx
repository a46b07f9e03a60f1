import type { Service } from '#records/contract'
import { Activity } from 'lucide-react'
import type { CurrentGroup } from '../../../api/session.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { durationText } from '../../../ui/quantity.ts'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { Table } from '../../../ui/table.tsx'
import { PeriodChip } from '../period-chip.tsx'
import { PagedList } from '../../../ui/paged-list.tsx'
import { listQuery } from '../record-queries.ts'

interface CheckListProps {
  group: CurrentGroup
  service: Service
  since: string | undefined
  until: string | undefined
  onClear: () => void
}

export function CheckList({ group, service, since, until, onClear }: CheckListProps) {
  return (
    <div className="space-y-3">
      <PeriodChip since={since} until={until} onClear={onClear} />
      <Checks group={group} service={service} period={{ since, until }} />
    </div>
  )
}

interface ChecksProps {
  group: CurrentGroup
  service: Service
  period: { since: string | undefined; until: string | undefined }
}

function Checks({ group, service, period }: ChecksProps) {
  const isWhole = period.since === undefined && period.until === undefined
  return (
    <PagedList
      query={listQuery(group.id, '/api/services/{id}/checks', { path: { id: service.id }, query: period })}
      every={5_000}
      empty={
        <EmptyState icon={Activity} title={isWhole ? 'No checks yet' : 'No checks of this period'}>
          {service.url === null
            ? 'The service has no URL to check. Edit it to add one.'
            : 'Each check appears here with its status, latency and error. Single checks are kept for 7 days.'}
        </EmptyState>
      }
    >
      {(checks) => (
        <Table
          label="Checks"
          rows={checks}
          rowKey={({ at }) => at}
          columns={[
            {
              name: 'Result',
              value: ({ ok }) => (ok ? 1 : 0),
              cell: ({ ok, in_maintenance }) => (
                <StatusDot status={ok ? 'ok' : in_maintenance ? 'warning' : 'error'}>
                  {ok ? 'Passed' : in_maintenance ? 'Failed in maintenance' : 'Failed'}
                </StatusDot>
              ),
            },
            { name: 'Status', value: ({ status_code }) => status_code },
            {
              name: 'Latency',
              value: ({ latency_ms }) => latency_ms,
              cell: ({ latency_ms }) => (latency_ms === null ? '–' : durationText(latency_ms)),
            },
            { name: 'When', time: ({ at }) => at },
            {
              name: 'Error',
              value: ({ error }) => error,
              className: 'text-sm text-ink-soft [overflow-wrap:anywhere]',
            },
          ]}
        />
      )}
    </PagedList>
  )
}
