import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { KeyRound, Plus, SearchX } from 'lucide-react'
import type { ApiKey } from '#access/contract'
import { limitsQuery } from '../../api/limits.ts'
import { membersQuery } from '../../api/members.ts'
import type { CurrentGroup } from '../../api/session.ts'
import { inGroup } from '../../shell/no-group.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import { keysQuery } from '../../api/keys.ts'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { EditKeyDialog, RevokeKeyDialog } from './key-dialogs.tsx'
import { KeyFilter } from './key-filter.tsx'
import { selectKeys } from './key-list.ts'
import { readKeysAddress } from './keys-address.ts'
import { KeysTable } from './keys-table.tsx'
import { RotateKeyDialog } from './rotate-key-dialog.tsx'

const route = getRouteApi('/shell/keys')

export const KeysPage = inGroup(Keys)

function Keys({ group }: { group: CurrentGroup }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const keys = useQuery(keysQuery(group.id))
  const setCreating = (creating: boolean) =>
    void navigate({ search: (before) => readKeysAddress({ ...before, new: creating }), replace: true })
  return (
    <Page
      title="Keys"
      description="API keys for your apps and agents. Create one per app, so that the logs show who sent what and you can revoke one without affecting the others."
      actions={
        <Button look="primary" icon={Plus} onClick={() => setCreating(true)}>
          Create key
        </Button>
      }
    >
      {keys.error && <FailureNotice error={keys.error} onRetry={() => keys.refetch()} />}
      {keys.isPending && <ListSkeleton />}
      {keys.data && <KeyList keys={keys.data} groupId={group.id} onCreate={() => setCreating(true)} />}
      <CreateKeyDialog
        groupId={group.id}
        groupName={group.name}
        open={search.new === true}
        onClose={() => setCreating(false)}
      />
    </Page>
  )
}

function KeyList({ keys, groupId, onCreate }: { keys: ApiKey[]; groupId: string; onCreate: () => void }) {
  const { q = '', state, revoke } = route.useSearch()
  const navigate = route.useNavigate()
  const members = useQuery(membersQuery(groupId))
  const limits = useQuery(limitsQuery(groupId))
  const [edited, setEdited] = useState<ApiKey | null>(null)
  const [rotated, setRotated] = useState<ApiKey | null>(null)
  const revoked = keys.find(({ id, revoked_at }) => id === revoke && revoked_at === null)
  const setRevoked = (key: ApiKey | undefined) =>
    void navigate({ search: (before) => readKeysAddress({ ...before, revoke: key?.id }), replace: true })
  if (keys.length === 0)
    return (
      <EmptyState
        icon={KeyRound}
        title="No keys yet"
        action={
          <Button look="primary" icon={Plus} onClick={onCreate}>
            Create key
          </Button>
        }
      >
        Your apps send an API key with each request. A key is shown once, when you create it; only a hash is
        stored.
      </EmptyState>
    )
  const selected = selectKeys(keys, q, state, Date.now())
  return (
    <div className="space-y-4">
      <KeyFilter keys={keys} />
      {selected.length > 0 ? (
        <KeysTable
          keys={selected}
          members={members.data ?? []}
          limits={limits.data ?? []}
          onEdit={setEdited}
          onRotate={setRotated}
          onRevoke={setRevoked}
        />
      ) : (
        <EmptyState
          icon={SearchX}
          title="No matching keys"
          action={<Button onClick={() => void navigate({ search: {}, replace: true })}>Clear filter</Button>}
        >
          None of the {keys.length} keys of this group matches the filter.
        </EmptyState>
      )}
      {edited && <EditKeyDialog apiKey={edited} onClose={() => setEdited(null)} />}
      {rotated && <RotateKeyDialog apiKey={rotated} onClose={() => setRotated(null)} />}
      {revoked && <RevokeKeyDialog apiKey={revoked} onClose={() => setRevoked(undefined)} />}
    </div>
  )
}
