import type { Service } from '#records/contract'
import { Activity } from 'lucide-react'
import type { CurrentGroup } from '../../../api/session.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { durationText } from '../../../ui/quantity.ts'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { timeValue } from '../../../ui/sorting.ts'
import { Cell, Row, Table } from '../../../ui/table.tsx'
import { PeriodChip } from '../period-chip.tsx'
import { RecordList } from '../record-list.tsx'
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
    <RecordList
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
          columns={['Result', 'Status', 'Latency', 'When', 'Error']}
          rows={checks}
          sortBy={{
            Result: ({ ok }) => (ok ? 1 : 0),
            Status: ({ status_code }) => status_code,
            Latency: ({ latency_ms }) => latency_ms,
            When: ({ at }) => timeValue(at),
            Error: ({ error }) => error,
          }}
        >
          {(check) => (
            <Row key={check.at}>
              <Cell part="lead">
                <StatusDot status={check.ok ? 'ok' : check.in_maintenance ? 'warning' : 'error'}>
                  {check.ok ? 'Passed' : check.in_maintenance ? 'Failed in maintenance' : 'Failed'}
                </StatusDot>
              </Cell>
              <Cell label="Status">{check.status_code ?? '–'}</Cell>
              <Cell label="Latency">{check.latency_ms === null ? '–' : durationText(check.latency_ms)}</Cell>
              <Cell label="When" className="text-sm text-ink-soft">
                <MomentText time={check.at} />
              </Cell>
              <Cell label="Error" className="text-sm text-ink-soft [overflow-wrap:anywhere]">
                {check.error ?? '–'}
              </Cell>
            </Row>
          )}
        </Table>
      )}
    </RecordList>
  )
}
