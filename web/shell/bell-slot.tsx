import { Suspense, lazy } from 'react'
import { Bell as BellIcon } from 'lucide-react'
import { loadWhenReachable } from '../api/load-when-reachable.ts'
import { useCurrentGroup } from '../api/session.ts'
import { IconButton } from '../ui/button.tsx'

const Bell = lazy(() => loadWhenReachable(() => import('./bell.tsx')))

/** The place of the bell, which is loaded after the page. One of them keeps the count in the title. */
export function BellSlot({ inTitle = false }: { inTitle?: boolean }) {
  const group = useCurrentGroup()
  if (group === null) return null
  return (
    <Suspense fallback={<IconButton label="Notifications" icon={BellIcon} disabled />}>
      <Bell key={group.id} group={group} inTitle={inTitle} />
    </Suspense>
  )
}
