import { Link } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

interface NoRecordsProps {
  icon: LucideIcon
  title: string
  /** How they get here. */
  hint: string
  to: string
  action: string
}

/** In place of charts that would be empty: what is missing, and where it comes from. */
export function NoRecords({ icon, title, hint, to, action }: NoRecordsProps) {
  return (
    <EmptyState
      icon={icon}
      title={title}
      action={
        <Link to={to} className={buttonClass()}>
          {action}
        </Link>
      }
    >
      {hint}
    </EmptyState>
  )
}
