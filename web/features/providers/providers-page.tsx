import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import type { Provider } from '#vault/contract'
import { mayManage, type CurrentGroup } from '../../api/session.ts'
import { inGroup } from '../../shell/no-group.tsx'
import { Button } from '../../ui/button.tsx'
import { FailureNotice, Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import { AddKeyDialog } from './add-key-dialog.tsx'
import { ProviderDialog } from './provider-dialog.tsx'
import { FirstKey } from './first-key.tsx'
import { ProviderCard } from './provider-card.tsx'
import { keysOf, providersQuery } from '../../api/providers.ts'
import { readProvidersAddress } from './providers-address.ts'

const route = getRouteApi('/shell/providers')

export const ProvidersPage = inGroup(Providers)

function Providers({ group }: { group: CurrentGroup }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const providers = useQuery(providersQuery(group.id))
  const show = (part: Record<string, unknown>) =>
    void navigate({ search: () => readProvidersAddress(part), replace: true })
  const isOwner = group.role === 'owner'
  return (
    <Page
      title="Providers"
      description="Add provider keys to give your group access to models. Keys are stored encrypted, and your apps never see them."
      actions={
        isOwner && (
          <Button icon={Plus} onClick={() => show({ new: true })}>
            Add custom provider
          </Button>
        )
      }
    >
      {providers.error && <FailureNotice error={providers.error} onRetry={() => providers.refetch()} />}
      {providers.isPending && <ListSkeleton rows={5} />}
      {providers.data && (
        <ProviderList group={group} providers={providers.data} onAdd={(add) => show({ add })} />
      )}
      {providers.data && search.add !== undefined && mayManage(group.role) && (
        <AddKeyDialog
          groupId={group.id}
          providers={providers.data}
          providerId={search.add === 'any' ? undefined : search.add}
          onClose={() => show({})}
        />
      )}
      {search.new === true && isOwner && <ProviderDialog groupId={group.id} onClose={() => show({})} />}
    </Page>
  )
}

interface ProviderListProps {
  group: CurrentGroup
  providers: Provider[]
  onAdd: (providerId: string) => void
}

function ProviderList({ group, providers, onAdd }: ProviderListProps) {
  const hasKeys = providers.some((provider) => keysOf(provider).length > 0)
  const manages = mayManage(group.role)
  return (
    <div className="space-y-4">
      {!manages && (
        <Notice tone="info" title="Read-only">
          Only owners and admins of {group.name} can change provider keys.
        </Notice>
      )}
      {!hasKeys && manages && <FirstKey groupId={group.id} providers={providers} />}
      {providers.map((provider) => (
        <ProviderCard
          key={provider.id}
          provider={provider}
          group={group}
          onAddKey={() => onAdd(provider.id)}
        />
      ))}
    </div>
  )
}
