import { History as HistoryIcon } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import type { Alert } from '#limits/contract'
import { pagesQuery } from '../../api/pages.ts'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { Table } from '../../ui/table.tsx'
import { alertsKey } from './alert-queries.ts'
import { plainText } from './alert-words.ts'

interface HistoryProps {
  groupId: string
  alerts: readonly Alert[]
  /** Only what this alert reported. */
  alertId: string | undefined
  onChoose: (alertId: string | undefined) => void
}

/** What alerts reported, from the events of the console. */
export function History({ groupId, alerts, alertId, onChoose }: HistoryProps) {
  const query = {
    type: 'system',
    group_id: groupId,
    limit: 20,
    ...(alertId === undefined ? { source: 'alerts' } : { metadata: `alert_id:${alertId}` }),
  }
  return (
    <section aria-label="History" className="space-y-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-base font-semibold">History</h2>
        <FilterSelect
          label="Alert"
          all="All alerts"
          className="w-full sm:w-60"
          value={alertId}
          choices={alerts}
          onChange={onChoose}
        />
      </div>
      <PagedList
        query={pagesQuery([...alertsKey(groupId), 'history'], '/api/console/events', { query })}
        every={15_000}
        empty={
          <EmptyState icon={HistoryIcon} title="Nothing has fired">
            Each time an alert fires or is resolved, it appears here and in the console.
          </EmptyState>
        }
      >
        {(events) => (
          <Table
            label="History"
            rows={events}
            rowKey={({ id }) => id}
            columns={[
              {
                name: 'What happened',
                cell: ({ title, message, metadata }) => (
                  <div className="min-w-0">
                    <p className="font-medium">
                      <PlaceLink path={metadata['path']}>{title}</PlaceLink>
                    </p>
                    <p className="text-xs text-pretty text-ink-faint">{message}</p>
                  </div>
                ),
              },
              {
                name: 'State',
                cell: ({ metadata }) =>
                  metadata['state'] === 'resolved' ? (
                    <Badge tone="success">Resolved</Badge>
                  ) : (
                    <Badge tone="danger">Fired</Badge>
                  ),
              },
              {
                name: 'Alert',
                value: ({ metadata }) => plainText(metadata['alert']),
                className: 'text-sm',
              },
              { name: 'When', time: ({ created_at }) => created_at },
            ]}
          />
        )}
      </PagedList>
    </section>
  )
}

function PlaceLink({ path, children }: { path: unknown; children: string }) {
  if (typeof path !== 'string' || !/^\/(?!\/)/.test(path)) return children
  return (
    <Link to={path as never} className="hover:underline">
      {children}
    </Link>
  )
}
