import { Inbox } from 'lucide-react'
import type { Hook } from '#webhooks/contract'
import type { CurrentGroup } from '../../../api/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FilterSelect, namedChoices } from '../../../ui/filter-select.tsx'
import { bytesText } from '../../../ui/quantity.ts'
import { Table } from '../../../ui/table.tsx'
import { PagedList } from '../../../ui/paged-list.tsx'
import { listQuery } from '../record-queries.ts'
import { deliveryStatuses, statusNames, statusTones } from './hook-words.ts'
import type { WebhooksAddress } from './webhooks-address.ts'

interface DeliveriesProps {
  group: CurrentGroup
  hooks: readonly Hook[]
  address: WebhooksAddress
  onChange: (part: Record<string, unknown>) => void
}

export function Deliveries({ group, hooks, address, onChange }: DeliveriesProps) {
  const nameOf = (id: string) => hooks.find((hook) => hook.id === id)?.name ?? 'deleted webhook'
  const filter = { hook_id: address.hook, status: address.status }
  return (
    <section aria-label="Deliveries" className="space-y-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-base font-semibold">Deliveries</h2>
        <div className="grid grid-cols-2 gap-2 sm:flex">
          <FilterSelect
            label="Webhook"
            all="All webhooks"
            className="sm:w-44"
            value={address.hook}
            choices={hooks}
            onChange={(hook) => onChange({ hook })}
          />
          <FilterSelect
            label="Result"
            all="All results"
            className="sm:w-40"
            value={address.status}
            choices={namedChoices(deliveryStatuses, statusNames)}
            onChange={(status) => onChange({ status })}
          />
        </div>
      </div>
      <PagedList
        query={listQuery(group.id, '/api/webhooks/deliveries', { query: filter })}
        every={10_000}
        empty={
          <EmptyState icon={Inbox} title="No deliveries">
            What senders send appears here with its result. Send a test from the sender.
          </EmptyState>
        }
      >
        {(deliveries) => (
          <Table
            label="Deliveries"
            rows={deliveries}
            rowKey={({ id }) => id}
            columns={[
              {
                name: 'Event',
                value: ({ event }) => event,
                cell: ({ id, event }) => (
                  <button
                    type="button"
                    className="font-mono text-xs font-medium hover:underline"
                    onClick={() => onChange({ delivery: id })}
                  >
                    {event ?? 'delivery'}
                  </button>
                ),
              },
              {
                name: 'Result',
                value: ({ status }) => statusNames[status],
                cell: ({ status, reason }) => (
                  <span>
                    <Badge tone={statusTones[status]}>{statusNames[status]}</Badge>
                    {reason !== null && (
                      <span className="mt-0.5 block max-w-96 truncate text-xs text-ink-faint" title={reason}>
                        {reason}
                      </span>
                    )}
                  </span>
                ),
              },
              { name: 'Webhook', cell: ({ hook_id }) => nameOf(hook_id), className: 'text-sm' },
              { name: 'Received', time: ({ received_at }) => received_at },
              {
                name: 'Size',
                value: ({ size_bytes }) => size_bytes,
                cell: ({ size_bytes }) => bytesText(size_bytes),
                className: 'text-sm text-ink-soft',
              },
              { name: 'Attempts', value: ({ attempts }) => attempts, className: 'text-sm text-ink-soft' },
            ]}
          />
        )}
      </PagedList>
    </section>
  )
}
