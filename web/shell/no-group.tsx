import { Link } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

/** For a person whom no group holds: nearly everything belongs to a group. */
export function NoGroup() {
  return (
    <EmptyState
      icon={Users}
      title="You belong to no group yet"
      action={
        <Link to="/groups" className={buttonClass('primary')}>
          Create a group
        </Link>
      }
    >
      Keys and everything that goes through the box belong to a group. Ask an owner for an invitation, or
      create a group of your own.
    </EmptyState>
  )
}
