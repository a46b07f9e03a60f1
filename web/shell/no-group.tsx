import type { ComponentType } from 'react'
import { Link } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { useCurrentGroup, useMe, type CurrentGroup } from '../api/session.ts'
import { buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

/** For users without a group: nearly everything belongs to one. */
export function NoGroup() {
  const { can_create_groups: mayCreate } = useMe()
  return (
    <EmptyState
      icon={Users}
      title="You are not in a group yet"
      action={
        mayCreate && (
          <Link to="/groups" className={buttonClass('primary')}>
            Create group
          </Link>
        )
      }
    >
      Keys, requests and everything else belong to a group. Ask a group owner for an invitation link
      {mayCreate && ', or create a group'}.
    </EmptyState>
  )
}

/** A page of the group. Another group is another page, with a state of its own. */
export const inGroup = (Page: ComponentType<{ group: CurrentGroup }>): ComponentType =>
  function PageInGroup() {
    const group = useCurrentGroup()
    return group === null ? <NoGroup /> : <Page key={group.id} group={group} />
  }
