import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { BellRing, Lock, Plus } from 'lucide-react'
import { mayManage, type CurrentGroup } from '../../api/session.ts'
import { inGroup } from '../../shell/no-group.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import { ChannelDialog } from './channel-dialog.tsx'
import { channelsQuery } from './channel-queries.ts'
import { ChannelTable } from './channel-table.tsx'
import { DeliveriesPanel } from './deliveries-panel.tsx'
import { readNotificationsAddress } from './notifications-address.ts'

const route = getRouteApi('/shell/notifications')
const description =
  'Channels tell your team about alerts, approvals and failures outside of the dashboard. The bell shows everything too.'

export const NotificationsPage = inGroup(({ group }) =>
  mayManage(group.role) ? (
    <Notifications group={group} />
  ) : (
    <Page title="Notifications" description={description}>
      <EmptyState icon={Lock} title="Only for admins and owners">
        Channels have secrets. Ask an admin or owner of the group to add one. The bell shows you the same
        notifications.
      </EmptyState>
    </Page>
  ),
)

function Notifications({ group }: { group: CurrentGroup }) {
  const address = route.useSearch()
  const navigate = route.useNavigate()
  const channels = useQuery(channelsQuery(group.id))
  const show = (part: Record<string, unknown>) =>
    void navigate({
      search: readNotificationsAddress({ ...address, ...part }),
      replace: true,
      resetScroll: false,
    })
  const add = (
    <Button look="primary" icon={Plus} onClick={() => show({ new: true })}>
      Add channel
    </Button>
  )
  const opened = channels.data?.find(({ id }) => id === address.channel)
  return (
    <Page title="Notifications" description={description} wide actions={add}>
      {channels.error && <FailureNotice error={channels.error} onRetry={() => channels.refetch()} />}
      {channels.isPending && <ListSkeleton />}
      {channels.data?.length === 0 && (
        <EmptyState icon={BellRing} title="No channels yet" action={add}>
          Add Slack, Microsoft Teams, email, PagerDuty or a signed webhook, and choose what it gets. Until
          then, notifications appear in the bell only.
        </EmptyState>
      )}
      {channels.data && channels.data.length > 0 && (
        <ChannelTable group={group} channels={channels.data} onShow={(channel) => show({ channel })} />
      )}
      {address.new === true && <ChannelDialog groupId={group.id} onClose={() => show({ new: undefined })} />}
      {opened && (
        <DeliveriesPanel
          key={opened.id}
          group={group}
          channel={opened}
          onClose={() => show({ channel: undefined })}
        />
      )}
    </Page>
  )
}
