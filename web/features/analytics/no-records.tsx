import { Link } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import { buttonClass } from '../../ui/button.tsx'

interface NoRecordsProps {
  icon: LucideIcon
  title: string
  /** How they get here. */
  hint: string
  to: string
  action: string
}

/**
 * In place of charts that would be empty: what is missing, and where it comes from. Lower than the empty state of a
 * page, because a new group has one in each section.
 */
export function NoRecords({ icon: Icon, title, hint, to, action }: NoRecordsProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl border border-dashed border-line-strong px-5 py-4">
      <Icon aria-hidden className="size-5 shrink-0 text-ink-faint" />
      <div className="min-w-0 flex-1 basis-56">
        <h3 className="text-sm font-semibold">{title}</h3>
        <p className="mt-0.5 text-sm text-pretty text-ink-soft">{hint}</p>
      </div>
      <Link to={to} className={buttonClass()}>
        {action}
      </Link>
    </div>
  )
}
