import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { BellRing, Plus } from 'lucide-react'
import { mayManage, type CurrentGroup } from '../../api/session.ts'
import { inGroup } from '../../shell/no-group.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import { AlertDialog } from './alert-dialog.tsx'
import { alertsQuery } from './alert-queries.ts'
import { AlertTable } from './alert-table.tsx'
import { readAlertsAddress } from './alerts-address.ts'
import { History } from './history.tsx'
import { Recommended } from './recommended.tsx'

const route = getRouteApi('/shell/alerts')

export const AlertsPage = inGroup(Alerts)

function Alerts({ group }: { group: CurrentGroup }) {
  const address = route.useSearch()
  const navigate = route.useNavigate()
  const alerts = useQuery({ ...alertsQuery(group.id), refetchInterval: 15_000 })
  const show = (part: Record<string, unknown>) =>
    void navigate({ search: readAlertsAddress({ ...address, ...part }), replace: true, resetScroll: false })
  const add = mayManage(group.role) && (
    <Button look="primary" icon={Plus} onClick={() => show({ new: true })}>
      Create alert
    </Button>
  )
  const all = alerts.data ?? []
  return (
    <Page
      title="Alerts"
      description="Notify your team about spend, providers and services, and about work that failed or waits for a person."
      wide
      actions={add}
    >
      {alerts.error && <FailureNotice error={alerts.error} onRetry={() => alerts.refetch()} />}
      {alerts.isPending && <ListSkeleton />}
      {alerts.data && (
        <div className="space-y-8">
          {all.length === 0 ? (
            <EmptyState icon={BellRing} title="No alerts yet" action={add}>
              {mayManage(group.role)
                ? 'Add the recommended ones below, or create your own.'
                : 'An admin or owner of the group creates them.'}
            </EmptyState>
          ) : (
            <AlertTable group={group} alerts={all} onShow={(alert) => show({ alert })} />
          )}
          {all.length > 0 && (
            <History
              groupId={group.id}
              alerts={all}
              alertId={address.alert}
              onChoose={(alert) => show({ alert })}
            />
          )}
          {mayManage(group.role) && <Recommended groupId={group.id} />}
        </div>
      )}
      {address.new === true && <AlertDialog groupId={group.id} onClose={() => show({ new: false })} />}
    </Page>
  )
}
