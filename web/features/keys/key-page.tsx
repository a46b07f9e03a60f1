import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Ban, KeyRound, Pencil, RotateCw } from 'lucide-react'
import type { ApiKey } from '#access/contract'
import { keysQuery } from '../../api/keys.ts'
import { limitsQuery } from '../../api/limits.ts'
import { mayManage, useMe, type CurrentGroup } from '../../api/session.ts'
import { inGroup } from '../../shell/no-group.tsx'
import { RecordMissing } from '../../shell/record-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { MomentText } from '../../ui/moment-text.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { PageSkeleton } from '../../ui/skeleton.tsx'
import { withEvents, type Moment } from '../../ui/thing/moments.ts'
import { PersonLink } from '../../ui/thing/person-link.tsx'
import { ThingPage } from '../../ui/thing/thing-page.tsx'
import { Timeline } from '../../ui/thing/timeline.tsx'
import { useEvents } from '../../ui/thing/use-events.ts'
import { LimitBars, limitsFor } from '../limits/index.ts'
import { RecentRequests } from '../logs/index.ts'
import { SpendByModel, SpendOverTime } from '../usage/index.ts'
import { EditKeyDialog, RevokeKeyDialog } from './key-dialogs.tsx'
import { KeyStateText, Scopes } from './key-parts.tsx'
import { RotateKeyDialog } from './rotate-key-dialog.tsx'

const route = getRouteApi('/shell/keys/$id')

export const KeyPage = inGroup(Found)

function Found({ group }: { group: CurrentGroup }) {
  const { id } = route.useParams()
  const { data, error, refetch } = useQuery(keysQuery(group.id))
  if (error && !data) return <FailureNotice error={error} onRetry={() => refetch()} />
  if (!data) return <PageSkeleton />
  const apiKey = data.find((key) => key.id === id)
  return apiKey ? <Detail key={id} group={group} apiKey={apiKey} /> : <RecordMissing noun="key" to="/keys" />
}

function Detail({ group, apiKey }: { group: CurrentGroup; apiKey: ApiKey }) {
  const { id, name } = apiKey
  const filter = { api_key_id: id }
  const limits = limitsFor(useQuery(limitsQuery(group.id)).data ?? [], 'api_key', id)
  const events = useEvents(group.id, { type: 'config', metadata: { keyId: id } })
  return (
    <ThingPage
      back={{ to: '/keys', children: 'Keys' }}
      title={name}
      description="API key"
      actions={<Actions group={group} apiKey={apiKey} />}
      facts={factsOf(group.id, apiKey)}
      aside={
        limits.length > 0 && (
          <Card title="Limits">
            <LimitBars limits={limits} of={name} />
          </Card>
        )
      }
      empty={
        <EmptyState icon={KeyRound} title="No requests with this key">
          Spend, models and requests appear here after the first request of the last 30 days.
        </EmptyState>
      }
      timeline={<Timeline moments={withEvents(momentsOf(apiKey), events)} />}
    >
      <SpendOverTime groupId={group.id} name={name} filter={filter} />
      <SpendByModel groupId={group.id} filter={filter} />
      <RecentRequests groupId={group.id} filter={filter} search={filter} />
    </ThingPage>
  )
}

/** People change their own keys; owners and admins change all. */
function Actions({ group, apiKey }: { group: CurrentGroup; apiKey: ApiKey }) {
  const me = useMe()
  const [open, setOpen] = useState<'edit' | 'rotate' | 'revoke' | null>(null)
  const close = () => setOpen(null)
  const isOwn = apiKey.created_by !== null && apiKey.created_by === me.user?.id
  if (apiKey.revoked_at !== null || (!isOwn && !mayManage(group.role))) return null
  return (
    <>
      <Button icon={Pencil} onClick={() => setOpen('edit')}>
        Edit key
      </Button>
      <Button icon={RotateCw} onClick={() => setOpen('rotate')}>
        Rotate key
      </Button>
      <Button look="quiet" icon={Ban} onClick={() => setOpen('revoke')}>
        Revoke key
      </Button>
      {open === 'edit' && <EditKeyDialog apiKey={apiKey} onClose={close} />}
      {open === 'rotate' && <RotateKeyDialog apiKey={apiKey} onClose={close} />}
      {open === 'revoke' && <RevokeKeyDialog apiKey={apiKey} onClose={close} />}
    </>
  )
}

function momentsOf({ created_at, expires_at, revoked_at }: ApiKey): Moment[] {
  const isPast = (time: string | null): time is string => time !== null && Date.parse(time) <= Date.now()
  return [
    { at: created_at, title: 'Key created' },
    ...(isPast(expires_at) ? [{ at: expires_at, title: 'Key expired', tone: 'bad' } as const] : []),
    ...(revoked_at === null ? [] : [{ at: revoked_at, title: 'Key revoked', tone: 'bad' } as const]),
  ]
}

function factsOf(groupId: string, apiKey: ApiKey) {
  const { key_prefix, key_suffix, created_by, created_at, last_used_at, previous_valid_until } = apiKey
  return [
    { name: 'Status', value: <KeyStateText apiKey={apiKey} /> },
    { name: 'Key', value: <code className="font-mono text-xs">{`${key_prefix}…${key_suffix}`}</code> },
    previous_valid_until !== null && {
      name: 'Old value',
      value: (
        <>
          ends <MomentText time={previous_valid_until} />
        </>
      ),
    },
    { name: 'Scopes', value: <Scopes apiKey={apiKey} /> },
    created_by !== null && { name: 'Created by', value: <PersonLink groupId={groupId} id={created_by} /> },
    { name: 'Created', value: <MomentText time={created_at} /> },
    { name: 'Last used', value: last_used_at === null ? 'never' : <MomentText time={last_used_at} /> },
  ]
}
