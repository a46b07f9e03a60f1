import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { LucideIcon } from 'lucide-react'
import { Skeleton } from '../../../ui/skeleton.tsx'

export interface PartFacts {
  /** The main figure or name. */
  value: ReactNode
  note: ReactNode
  /** Somebody should look at it. */
  isUrgent?: boolean
}

interface PartCardProps {
  icon: LucideIcon
  title: string
  to: string
  search?: Record<string, unknown>
  /** Undefined while it is loading, null where it cannot be read. */
  facts: PartFacts | undefined | null
}

/** One part of Signalbox at a glance; the whole card leads to it. */
export function PartCard({ icon: Icon, title, to, search, facts }: PartCardProps) {
  return (
    <Link
      to={to}
      {...(search && { search })}
      className={clsx(
        'block h-full rounded-xl border bg-surface p-4 shadow-low transition-colors hover:border-line-strong',
        facts?.isUrgent ? 'border-primary' : 'border-line',
      )}
    >
      <span className="flex items-center gap-2 text-sm text-ink-soft">
        <Icon aria-hidden className={clsx('size-4', facts?.isUrgent ? 'text-accent' : 'text-ink-faint')} />
        {title}
      </span>
      <span className="mt-2 block truncate text-lg font-semibold tracking-tight">
        {facts === undefined ? <Skeleton className="my-1 h-5 w-20" /> : (facts?.value ?? '–')}
      </span>
      <span className="block truncate text-xs text-ink-faint">
        {facts === undefined ? ' ' : (facts?.note ?? 'Not available')}
      </span>
    </Link>
  )
}
