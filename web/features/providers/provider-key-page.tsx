import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { KeySquare } from 'lucide-react'
import type { Provider, ProviderKey } from '#vault/contract'
import { keysOf, providersQuery } from '../../api/providers.ts'
import { mayManage, type CurrentGroup } from '../../api/session.ts'
import { inGroup } from '../../shell/no-group.tsx'
import { RecordMissing } from '../../shell/record-failure.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { MomentText } from '../../ui/moment-text.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { PageSkeleton } from '../../ui/skeleton.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { withEvents, type Moment } from '../../ui/thing/moments.ts'
import { PersonLink } from '../../ui/thing/person-link.tsx'
import { ThingPage } from '../../ui/thing/thing-page.tsx'
import { Timeline } from '../../ui/thing/timeline.tsx'
import { useEvents } from '../../ui/thing/use-events.ts'
import { RecentRequests } from '../logs/index.ts'
import { PartSpend } from '../usage/index.ts'
import { ApiKeysOf } from './api-keys-of.tsx'
import { ProviderKeyActions } from './provider-key-actions.tsx'
import { ErrorNotice, KeyBadges } from './key-row.tsx'
import { hasFailedLast, keyInUse, keyWords, stateOfKey, statuses } from './provider-state.ts'

const route = getRouteApi('/shell/providers/keys/$id')

export const ProviderKeyPage = inGroup(Found)

function Found({ group }: { group: CurrentGroup }) {
  const { id } = route.useParams()
  const { data, error, refetch } = useQuery(providersQuery(group.id))
  if (error && !data) return <FailureNotice error={error} onRetry={() => refetch()} />
  if (!data) return <PageSkeleton />
  const provider = data.find((each) => keysOf(each).some((key) => key.id === id))
  const apiKey = provider && keysOf(provider).find((key) => key.id === id)
  return provider && apiKey ? (
    <Detail key={id} {...{ group, provider, apiKey }} />
  ) : (
    <RecordMissing noun="provider key" to="/providers" others="providers" />
  )
}

interface DetailProps {
  group: CurrentGroup
  provider: Provider
  apiKey: ProviderKey
}

function Detail({ group, provider, apiKey }: DetailProps) {
  const { id, name } = apiKey
  const navigate = route.useNavigate()
  const events = useEvents(group.id, { type: 'config', metadata: { keyId: id } })
  return (
    <ThingPage
      back={{ to: '/providers', children: 'Providers' }}
      title={name}
      description={`${provider.name} key`}
      actions={
        mayManage(group.role) && (
          <ProviderKeyActions
            {...{ apiKey, groupId: group.id, providerName: provider.name }}
            onDeleted={() => void navigate({ to: '/providers' })}
          />
        )
      }
      facts={factsOf(group.id, provider, apiKey)}
      aside={<ApiKeysOf groupId={group.id} id={id} />}
      empty={
        <EmptyState icon={KeySquare} title="No requests with this key">
          Spend, errors and requests appear here after its first request of the last 30 days.
        </EmptyState>
      }
      timeline={<Timeline moments={withEvents(momentsOf(apiKey), events)} />}
    >
      {apiKey.last_error !== null && <ErrorNotice apiKey={apiKey} />}
      <PartSpend groupId={group.id} name={name} by="provider_key" id={id} />
      <RecentRequests
        groupId={group.id}
        filter={{ provider: provider.id }}
        search={{ provider: provider.id }}
        description={`Those with this key among the newest 50 to ${provider.name}.`}
        isShown={({ provider_key_id: used }) => used === id}
      />
    </ThingPage>
  )
}

function momentsOf({ created_at, last_error, last_error_at }: ProviderKey): Moment[] {
  return [
    { at: created_at, title: 'Key added' },
    ...(last_error === null || last_error_at === null
      ? []
      : [{ at: last_error_at, title: last_error, kind: 'Error', tone: 'bad' } as const]),
  ]
}

function factsOf(groupId: string, provider: Provider, apiKey: ProviderKey) {
  const { id, key_suffix, user_id, created_at, last_used_at } = apiKey
  const account = provider.accounts.find(({ keys }) => keys.some((key) => key.id === id))
  const state = stateOfKey(apiKey)
  return [
    {
      name: 'Status',
      value: (
        <span className="flex flex-wrap items-center gap-2">
          <StatusDot status={statuses[state]}>{keyWords[state]}</StatusDot>
          <KeyBadges apiKey={apiKey} inUse={keyInUse(provider)?.id === id} />
        </span>
      ),
    },
    { name: 'Key', value: <code className="font-mono text-xs">{`…${key_suffix}`}</code> },
    { name: 'Provider', value: provider.name },
    account !== undefined && account.name !== 'Default' && { name: 'Account', value: account.name },
    user_id !== null && { name: 'Added by', value: <PersonLink groupId={groupId} id={user_id} /> },
    { name: 'Added', value: <MomentText time={created_at} /> },
    { name: 'Last used', value: last_used_at === null ? 'never' : <MomentText time={last_used_at} /> },
    hasFailedLast(apiKey) &&
      apiKey.last_error_at !== null && {
        name: 'Last error',
        value: <MomentText time={apiKey.last_error_at} />,
      },
  ]
}
