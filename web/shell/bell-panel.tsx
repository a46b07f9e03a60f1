import type { MouseEvent } from 'react'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { BellOff, CheckCheck } from 'lucide-react'
import type { AttentionItem } from '#attention/contract'
import type { BellItem, BellPage } from '#notifications/contract'
import { call } from '../api/client.ts'
import { bellKey } from '../api/notifications.ts'
import { useChange } from '../api/refresh-queries.ts'
import { mayManage, type CurrentGroup } from '../api/session.ts'
import { AttentionList } from '../ui/attention-list.tsx'
import { Button } from '../ui/button.tsx'
import { MomentText } from '../ui/moment-text.tsx'
import { FailureNotice } from '../ui/notice.tsx'
import { kindNameOf, stateDot, stateName } from '../ui/notification-words.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { StatusDot } from '../ui/status-dot.tsx'

interface BellPanelProps {
  group: CurrentGroup
  /** What needs attention. */
  items: readonly AttentionItem[]
  bell: UseQueryResult<BellPage>
  onClose: () => void
}

export function BellPanel({ group, items, bell: { data, error, refetch }, onClose }: BellPanelProps) {
  const read = useChange(bellKey(group.id), (body: { ids?: string[]; up_to?: string }) =>
    call('POST', '/api/v1/notifications/read', { body: { ...body, group_id: group.id } }),
  )
  const newest = data?.data[0]
  // A thing that stands above is not listed a second time.
  const standing = new Set(items.flatMap(({ paths }) => paths))
  const listed = data?.data.filter(({ path }) => !standing.has(path))
  return (
    <>
      {items.length > 0 && (
        <section
          aria-labelledby="bell-attention"
          className="max-h-[min(22rem,45dvh)] shrink-0 overflow-y-auto border-b border-line"
        >
          <h2 id="bell-attention" className="px-4 pt-3 pb-1 text-sm font-semibold">
            Needs attention
          </h2>
          <AttentionList isDense items={items} onOpen={onClose} />
        </section>
      )}
      <header className="flex items-center justify-between gap-2 border-b border-line py-2 pr-2 pl-4">
        <h2 className="text-sm font-semibold">Notifications</h2>
        {newest && (
          <Button
            look="quiet"
            size="small"
            icon={CheckCheck}
            disabled={data.unread === 0}
            busy={read.isPending}
            onClick={() => read.mutate({ up_to: newest.id })}
          >
            Mark all read
          </Button>
        )}
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto sm:max-h-120">
        {error && (
          <div className="p-3">
            <FailureNotice error={error} onRetry={() => refetch()} />
          </div>
        )}
        {!data && !error && <Skeleton className="m-4 h-32" />}
        {listed?.length === 0 && <NothingYet />}
        {listed && listed.length > 0 && (
          <ul className="divide-y divide-line">
            {listed.map((item) => (
              <BellRow
                key={item.id}
                item={item}
                onOpen={() => {
                  if (!item.is_read) read.mutate({ ids: [item.id] })
                  onClose()
                }}
              />
            ))}
          </ul>
        )}
      </div>
      {mayManage(group.role) && (
        <footer className="border-t border-line p-2">
          <Link
            to="/notifications"
            onClick={onClose}
            className="block rounded-lg px-2 py-1.5 text-center text-sm font-medium text-ink-soft hover:bg-hover hover:text-ink"
          >
            Manage channels
          </Link>
        </footer>
      )}
    </>
  )
}

function NothingYet() {
  return (
    <div className="flex flex-col items-center px-6 py-10 text-center">
      <BellOff aria-hidden className="size-5 text-ink-faint" />
      <p className="mt-3 text-sm font-medium">No notifications</p>
      <p className="mt-1 text-sm text-pretty text-ink-soft">
        Alerts, approvals and failures of the last 30 days appear here.
      </p>
    </div>
  )
}

function BellRow({ item, onOpen }: { item: BellItem; onOpen: () => void }) {
  const router = useRouter()
  const open = (event: MouseEvent) => {
    onOpen()
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!isPlain) return
    event.preventDefault()
    router.history.push(item.path)
  }
  return (
    <li
      className={clsx(
        'relative px-4 py-3 transition-colors hover:bg-hover/60',
        !item.is_read && 'bg-accent-soft/40',
      )}
    >
      <div className="flex items-baseline justify-between gap-3 text-xs text-ink-faint">
        <StatusDot status={stateDot(item)}>{stateName(item)}</StatusDot>
        <MomentText time={item.last_at} />
      </div>
      <p className={clsx('mt-1 text-sm [overflow-wrap:anywhere]', !item.is_read && 'font-semibold')}>
        <a
          href={router.history.createHref(item.path)}
          onClick={open}
          className="-outline-offset-2 before:absolute before:inset-0 focus-visible:outline-none focus-visible:before:outline-2 focus-visible:before:-outline-offset-2 focus-visible:before:outline-focus"
        >
          {item.title}
        </a>
        {!item.is_read && <span className="sr-only"> (unread)</span>}
      </p>
      {item.text !== '' && (
        <p className="mt-0.5 line-clamp-2 text-sm [overflow-wrap:anywhere] text-ink-soft">{item.text}</p>
      )}
      <p className="mt-1 text-xs text-ink-faint">
        {kindNameOf(item.kind)}
        {item.count > 1 && ` · reported ${item.count} times`}
      </p>
    </li>
  )
}
