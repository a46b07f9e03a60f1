import { useQuery } from '@tanstack/react-query'
import { useCurrentGroup, useMe, type CurrentGroup } from '../../api/session.ts'
import { limitsQuery } from '../../api/limits.ts'
import { Card } from '../../ui/page.tsx'
import { LimitBars, limitsFor } from '../limits/index.ts'

/** What the reader may use in the group; nothing where nobody has set a limit for them. */
export function OwnLimits() {
  const { user } = useMe()
  const group = useCurrentGroup()
  return user && group && <LimitsOf userId={user.id} group={group} />
}

function LimitsOf({ userId, group }: { userId: string; group: CurrentGroup }) {
  const limits = useQuery(limitsQuery(group.id))
  const own = limitsFor(limits.data ?? [], 'user', userId)
  if (own.length === 0) return null
  return (
    <Card
      title="Your limits"
      description={`In ${group.name}, for all keys that you made and for the playground.`}
    >
      <LimitBars limits={own} of="your account" wide />
    </Card>
  )
}
