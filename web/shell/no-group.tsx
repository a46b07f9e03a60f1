import { Link } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

/** For users without a group: nearly everything belongs to one. */
export function NoGroup() {
  return (
    <EmptyState
      icon={Users}
      title="You are not in a group yet"
      action={
        <Link to="/groups" className={buttonClass('primary')}>
          Create group
        </Link>
      }
    >
      Keys, requests and everything else belong to a group. Ask a group owner for an invitation link, or
      create a group.
    </EmptyState>
  )
}
