import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Group } from '#access/contract'
import { limitsQuery } from '../../api/limits.ts'
import { Card } from '../../ui/page.tsx'
import { LimitBars, limitsFor } from '../limits/index.ts'

/** Limits of the group as a whole; nothing where there are none. */
export function GroupLimits({ group }: { group: Group }) {
  const limits = useQuery(limitsQuery(group.id))
  const own = limitsFor(limits.data ?? [], 'group', null)
  if (own.length === 0) return null
  return (
    <Card
      title="Limits of the group"
      action={
        <Link to="/limits" className="text-sm font-medium text-accent hover:underline">
          All limits
        </Link>
      }
    >
      <LimitBars limits={own} of={group.name} wide />
    </Card>
  )
}
