import { useState, type ComponentProps } from 'react'
import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Bell as BellIcon } from 'lucide-react'
import { bellQuery } from '../api/notifications.ts'
import type { CurrentGroup } from '../api/session.ts'
import { Popover } from '../ui/popover.tsx'
import { BellPanel } from './bell-panel.tsx'
import { countLabel, useTitleCount } from './title-count.ts'

/** What needs somebody, with a count of what is new. */
export default function Bell({ group, inTitle }: { group: CurrentGroup; inTitle: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const bell = useQuery(bellQuery(group.id))
  const unread = bell.data?.unread ?? 0
  useTitleCount(inTitle ? unread : null)
  return (
    <Popover
      open={isOpen}
      onOpenChange={(next) => {
        setOpen(next)
        if (next) void bell.refetch()
      }}
      label="Notifications"
      trigger={<BellButton unread={unread} />}
    >
      <BellPanel group={group} bell={bell} onClose={() => setOpen(false)} />
    </Popover>
  )
}

function BellButton({ unread, className, ...rest }: ComponentProps<'button'> & { unread: number }) {
  const label = unread === 0 ? 'Notifications' : `Notifications, ${countLabel(unread)} unread`
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
      {unread > 0 && (
        <span
          aria-hidden
          className="absolute top-1 right-1 min-w-4 rounded-full bg-danger px-1 text-center text-[0.625rem] leading-4 font-semibold text-surface tabular-nums lg:-top-0.5 lg:-right-0.5 dark:text-canvas"
        >
          {countLabel(unread)}
        </span>
      )}
    </button>
  )
}
