import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Plus, Split } from 'lucide-react'
import type { NamedRoute } from '#gateway/contract'
import { mayManage, type CurrentGroup } from '../../api/session.ts'
import { inGroup } from '../../shell/no-group.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import { RouteCard } from './route-card.tsx'
import { RouteDialog } from './route-dialog.tsx'
import { RouteDialogs, type OpenRoute } from './route-dialogs.tsx'
import { routesQuery } from './route-queries.ts'
import { readRoutesAddress } from './routes-address.ts'

const here = getRouteApi('/shell/routes')

export const RoutesPage = inGroup(Routes)

function Routes({ group }: { group: CurrentGroup }) {
  const search = here.useSearch()
  const navigate = here.useNavigate()
  const routes = useQuery(routesQuery(group.id))
  const manages = mayManage(group.role)
  const setCreating = (creating: boolean) =>
    void navigate({ search: () => readRoutesAddress({ new: creating }), replace: true })
  const create = (
    <Button look="primary" icon={Plus} onClick={() => setCreating(true)}>
      Create route
    </Button>
  )
  return (
    <Page
      title="Routes"
      description="Your own names for models. Apps request the name; you decide which model responds, and which takes over when it fails."
      actions={manages && create}
    >
      {routes.error && <FailureNotice error={routes.error} onRetry={() => routes.refetch()} />}
      {routes.isPending && <ListSkeleton rows={3} />}
      {routes.data && routes.data.length > 0 && <RouteList routes={routes.data} group={group} />}
      {routes.data?.length === 0 && (
        <EmptyState icon={Split} title="No routes yet" action={manages && create}>
          A route is a name such as “fast” that your apps use as a model. Behind it are one or more models of
          any provider: the next one answers when the first is down, too busy or does not fit the request.
        </EmptyState>
      )}
      {search.new === true && manages && (
        <RouteDialog groupId={group.id} onClose={() => setCreating(false)} />
      )}
    </Page>
  )
}

function RouteList({ routes, group }: { routes: readonly NamedRoute[]; group: CurrentGroup }) {
  const [open, setOpen] = useState<OpenRoute | null>(null)
  const close = () => setOpen(null)
  return (
    <div className="space-y-4">
      {routes.map((route) => (
        <RouteCard key={route.name} route={route} group={group} onAct={(what) => setOpen({ what, route })} />
      ))}
      <RouteDialogs groupId={group.id} open={open} onClose={close} />
    </div>
  )
}
