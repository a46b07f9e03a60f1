import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Lock, Plus, Webhook } from 'lucide-react'
import { mayManage, useCurrentGroup, type CurrentGroup } from '../../../api/session.ts'
import { NoGroup } from '../../../shell/no-group.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { ListSkeleton } from '../../../ui/skeleton.tsx'
import { recordQuery } from '../record-queries.ts'
import { CreateHookDialog } from './create-hook-dialog.tsx'
import { DeliveryPanel } from './delivery-panel.tsx'
import { Deliveries } from './deliveries.tsx'
import { HookTable } from './hook-table.tsx'
import { readWebhooksAddress } from './webhooks-address.ts'

const route = getRouteApi('/shell/webhooks')
const description =
  'GitHub, GitLab, alert managers and your own programs report deployments, tickets and incidents here.'

export function WebhooksPage() {
  const group = useCurrentGroup()
  if (group === null) return <NoGroup />
  if (!mayManage(group.role))
    return (
      <Page title="Webhooks" description={description}>
        <EmptyState icon={Lock} title="Only for admins and owners">
          Webhooks have secrets. Ask an admin or owner of the group to connect a sender.
        </EmptyState>
      </Page>
    )
  return <Webhooks key={group.id} group={group} />
}

function Webhooks({ group }: { group: CurrentGroup }) {
  const address = route.useSearch()
  const navigate = route.useNavigate()
  const hooks = useQuery({
    ...recordQuery(group.id, '/api/webhooks', {}),
    refetchInterval: 15_000,
  })
  const show = (part: Record<string, unknown>) =>
    void navigate({ search: readWebhooksAddress({ ...address, ...part }), replace: true, resetScroll: false })
  const add = (
    <Button look="primary" icon={Plus} onClick={() => show({ new: true })}>
      Create webhook
    </Button>
  )
  return (
    <Page title="Webhooks" description={description} wide actions={add}>
      {hooks.error && <FailureNotice error={hooks.error} onRetry={() => hooks.refetch()} />}
      {hooks.isPending && <ListSkeleton />}
      {hooks.data?.data.length === 0 && (
        <EmptyState icon={Webhook} title="No webhooks yet" action={add}>
          Create one and enter its address and secret at the sender. Its deliveries appear here with their
          results.
        </EmptyState>
      )}
      {hooks.data && hooks.data.data.length > 0 && (
        <div className="space-y-8">
          <HookTable group={group} hooks={hooks.data.data} onShow={(hook) => show({ hook })} />
          <Deliveries group={group} hooks={hooks.data.data} address={address} onChange={show} />
        </div>
      )}
      {address.new === true && <CreateHookDialog groupId={group.id} onClose={() => show({ new: false })} />}
      {address.delivery !== undefined && (
        <DeliveryPanel
          key={address.delivery}
          group={group}
          id={address.delivery}
          onClose={() => show({ delivery: undefined })}
        />
      )}
    </Page>
  )
}
