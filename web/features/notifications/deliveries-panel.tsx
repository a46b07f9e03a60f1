import { Inbox, X } from 'lucide-react'
import type { Channel, Delivery, Try } from '#notifications/contract'
import type { CurrentGroup } from '../../api/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { MomentText } from '../../ui/moment-text.tsx'
import { exactTime } from '../../ui/moment.ts'
import { stateDot, stateName } from '../../ui/notification-words.ts'
import { PagedList } from '../../ui/paged-list.tsx'
import { SidePanel } from '../../ui/side-panel.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { deliveriesQuery } from './channel-queries.ts'
import { statusNames, statusTones } from './channel-words.ts'

interface DeliveriesPanelProps {
  group: CurrentGroup
  channel: Channel
  onClose: () => void
}

/** The messages of a channel with every try. */
export function DeliveriesPanel({ group, channel, onClose }: DeliveriesPanelProps) {
  return (
    <SidePanel open onClose={onClose} title={`Deliveries of ${channel.name}`}>
      <header className="flex items-start gap-2 border-b border-line px-5 py-4">
        <div className="min-w-0 flex-1">
          <h2 className="text-base font-semibold [overflow-wrap:anywhere]">Deliveries of {channel.name}</h2>
          <p className="text-sm text-ink-soft">Messages of the last 30 days, newest first.</p>
        </div>
        <IconButton label="Close (Escape)" icon={X} onClick={onClose} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto px-5 py-5" tabIndex={0}>
        <PagedList
          query={deliveriesQuery(group.id, channel.id)}
          every={10_000}
          empty={
            <EmptyState icon={Inbox} title="No deliveries">
              Messages to this channel appear here with every try. Send a test to see the first one.
            </EmptyState>
          }
        >
          {(deliveries) => (
            <ul className="space-y-3">
              {deliveries.map((delivery) => (
                <DeliveryCard key={delivery.id} delivery={delivery} />
              ))}
            </ul>
          )}
        </PagedList>
      </div>
    </SidePanel>
  )
}

function DeliveryCard({ delivery }: { delivery: Delivery }) {
  const { status, is_test: isTest, notifications, tries, created_at: at, due_at: due } = delivery
  return (
    <li className="rounded-xl border border-line bg-surface p-4 text-sm shadow-low">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Badge tone={statusTones[status]}>{statusNames[status]}</Badge>
        <span className="text-xs text-ink-faint">
          <MomentText time={at} />
        </span>
      </div>
      <ul className="mt-2 space-y-1">
        {isTest && <li className="font-medium">Test</li>}
        {notifications.map((item) => (
          <li key={item.id} className="flex items-baseline gap-2">
            <span className="shrink-0 text-xs text-ink-faint">
              <StatusDot status={stateDot(item)}>{stateName(item)}</StatusDot>
            </span>
            <span className="min-w-0 [overflow-wrap:anywhere]">{item.title}</span>
          </li>
        ))}
      </ul>
      {tries.length > 0 && (
        <ol className="mt-3 space-y-2 border-t border-line pt-3">
          {tries.map((made) => (
            <TryRow key={made.at} made={made} />
          ))}
        </ol>
      )}
      {due !== null && (
        <p className="mt-3 text-xs text-ink-faint">
          {tries.length > 0 ? 'Next try' : 'Due'} at {exactTime(due)}
        </p>
      )}
    </li>
  )
}

function TryRow({ made }: { made: Try }) {
  const { ok, status_code: code, error, response, duration_ms: ms } = made
  return (
    <li>
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-xs text-ink-faint">
        <StatusDot status={ok ? 'ok' : 'error'}>
          {code === null ? 'No response' : `Status ${code}`} · {ms} ms
        </StatusDot>
        <time dateTime={made.at}>{exactTime(made.at)}</time>
      </p>
      {error !== null && <p className="mt-0.5 text-danger [overflow-wrap:anywhere]">{error}</p>}
      {response !== null && response !== '' && (
        <pre className="mt-1 max-h-32 overflow-auto rounded-lg bg-sunken px-3 py-2 font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere] text-ink-soft">
          {response}
        </pre>
      )}
    </li>
  )
}
