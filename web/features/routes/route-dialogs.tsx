import type { NamedRoute } from '#gateway/contract'
import { DeleteDialog } from '../../ui/delete-dialog.tsx'
import { DryRunDialog } from './dry-run-dialog.tsx'
import { RouteDialog } from './route-dialog.tsx'
import { deleteRoute, routesKey } from './route-queries.ts'

export type RouteAct = 'edit' | 'explain' | 'delete'
export interface OpenRoute {
  what: RouteAct
  route: NamedRoute
}

interface RouteDialogsProps {
  groupId: string
  open: OpenRoute | null
  onClose: () => void
  onDeleted?: () => void
}

/** What can be done with a route. */
export function RouteDialogs({ groupId, open, onClose, onDeleted }: RouteDialogsProps) {
  if (open === null) return null
  const { what, route } = open
  if (what === 'edit') return <RouteDialog groupId={groupId} route={route} onClose={onClose} />
  if (what === 'explain') return <DryRunDialog groupId={groupId} route={route} onClose={onClose} />
  return (
    <DeleteDialog
      queryKey={routesKey(groupId)}
      remove={() => deleteRoute(route.name)}
      noun="route"
      name={route.name}
      onClose={onClose}
      {...(onDeleted && { onDeleted })}
    >
      <p>Apps that ask for this name get an error from now on. Past requests stay in the logs.</p>
    </DeleteDialog>
  )
}
