import { useState, type ComponentProps } from 'react'
import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Bell as BellIcon } from 'lucide-react'
import { attentionQuery } from '../api/attention.ts'
import { bellQuery } from '../api/notifications.ts'
import type { CurrentGroup } from '../api/session.ts'
import { Popover } from '../ui/popover.tsx'
import { BellPanel } from './bell-panel.tsx'
import { countLabel, useTitleCount } from './title-count.ts'

/** What needs attention, and what happened, with a count of both in which no thing is counted twice. */
export default function Bell({ group, inTitle }: { group: CurrentGroup; inTitle: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const attention = useQuery(attentionQuery(group.id))
  // The list is loaded when it is opened; the count comes with what needs attention.
  const bell = useQuery({ ...bellQuery(group.id), enabled: isOpen, staleTime: 0 })
  const total = attention.data?.total ?? 0
  useTitleCount(inTitle ? total : null)
  return (
    <Popover
      open={isOpen}
      onOpenChange={(next) => {
        setOpen(next)
        if (next) void attention.refetch()
      }}
      label="Notifications"
      trigger={<BellButton total={total} />}
    >
      <BellPanel
        group={group}
        items={attention.data?.data ?? []}
        bell={bell}
        onClose={() => setOpen(false)}
      />
    </Popover>
  )
}

function BellButton({ total, className, ...rest }: ComponentProps<'button'> & { total: number }) {
  const label = total === 0 ? 'Notifications' : `Notifications, ${countLabel(total)} open`
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={clsx(
        'relative inline-grid size-10 shrink-0 place-items-center rounded-lg text-ink-faint transition-colors lg:size-8',
        'hover:bg-hover hover:text-ink data-[state=open]:bg-hover data-[state=open]:text-ink',
        className,
      )}
    >
      <BellIcon aria-hidden className="size-4" />
      {total > 0 && (
        <span
          aria-hidden
          className="absolute top-1 right-1 min-w-4 rounded-full bg-danger px-1 text-center text-[0.625rem] leading-4 font-semibold text-surface tabular-nums lg:-top-0.5 lg:-right-0.5 dark:text-canvas"
        >
          {countLabel(total)}
        </span>
      )}
    </button>
  )
}
