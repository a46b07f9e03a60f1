import { useEffect } from 'react'
import { toast } from 'sonner'
import { groupOfAddress } from '../api/addressed-group.ts'
import { useCurrentGroup, useMe } from '../api/session.ts'
import { showGroup } from './group-history.ts'

/** What the address named when the dashboard was loaded. */
const asked = groupOfAddress(location.search)

/** Keeps the group in the address. A single person with a single group needs none. */
export function useGroupAddress(): void {
  const me = useMe()
  const current = useCurrentGroup()
  const isNeeded = me.via === 'session' || me.groups.length > 1
  const id = isNeeded ? (current?.id ?? null) : null
  useEffect(() => showGroup(id), [id])
  const isForeign = asked !== null && !me.groups.some((group) => group.id === asked)
  useEffect(() => {
    if (isForeign)
      toast.error('Group not found', {
        id: 'foreign-group',
        description: 'The link is of a group that you are not a member of. Ask its owner for an invitation.',
      })
  }, [isForeign])
}
