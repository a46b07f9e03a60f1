import { Inbox } from 'lucide-react'
import type { Hook } from '#webhooks/contract'
import type { CurrentGroup } from '../../../api/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FilterSelect, namedChoices } from '../../../ui/filter-select.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { bytesText } from '../../../ui/quantity.ts'
import { timeValue } from '../../../ui/sorting.ts'
import { Cell, Row, Table } from '../../../ui/table.tsx'
import { RecordList } from '../record-list.tsx'
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
      <RecordList
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
            columns={['Event', 'Result', 'Webhook', 'Received', 'Size', 'Attempts']}
            rows={deliveries}
            sortBy={{
              Event: ({ event }) => event,
              Result: ({ status }) => statusNames[status],
              Received: ({ received_at }) => timeValue(received_at),
              Size: ({ size_bytes }) => size_bytes,
              Attempts: ({ attempts }) => attempts,
            }}
          >
            {(delivery) => (
              <Row key={delivery.id}>
                <Cell part="lead">
                  <button
                    type="button"
                    className="font-mono text-xs font-medium hover:underline"
                    onClick={() => onChange({ delivery: delivery.id })}
                  >
                    {delivery.event ?? 'delivery'}
                  </button>
                </Cell>
                <Cell label="Result">
                  <span>
                    <Badge tone={statusTones[delivery.status]}>{statusNames[delivery.status]}</Badge>
                    {delivery.reason !== null && (
                      <span
                        className="mt-0.5 block max-w-96 truncate text-xs text-ink-faint"
                        title={delivery.reason}
                      >
                        {delivery.reason}
                      </span>
                    )}
                  </span>
                </Cell>
                <Cell label="Webhook" className="text-sm">
                  {nameOf(delivery.hook_id)}
                </Cell>
                <Cell label="Received" className="text-sm text-ink-soft">
                  <MomentText time={delivery.received_at} />
                </Cell>
                <Cell label="Size" className="text-sm text-ink-soft">
                  {bytesText(delivery.size_bytes)}
                </Cell>
                <Cell label="Attempts" className="text-sm text-ink-soft">
                  {delivery.attempts}
                </Cell>
              </Row>
            )}
          </Table>
        )}
      </RecordList>
    </section>
  )
}
