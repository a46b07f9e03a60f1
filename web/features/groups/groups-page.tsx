import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Plus, Users } from 'lucide-react'
import { toast } from 'sonner'
import { clsx } from 'clsx'
import type { Group } from '#access/contract'
import { useCurrentGroup, useMe } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import { GroupDetail } from './group-detail.tsx'
import { groupsQuery, useCreateGroup, type GroupInput } from './group-queries.ts'
import { GroupDialog } from './group-dialog.tsx'

const route = getRouteApi('/shell/groups')

export function GroupsPage() {
  const { group: wanted } = route.useSearch()
  const navigate = route.useNavigate()
  const current = useCurrentGroup()
  const { can_create_groups: mayCreate } = useMe()
  const groups = useQuery(groupsQuery)
  const create = useCreateGroup()
  const [naming, setNaming] = useState(false)
  const find = (id: string | undefined) => groups.data?.find((group) => group.id === id)
  const shown = find(wanted) ?? find(current?.id) ?? groups.data?.[0]
  const openDialog = () => {
    create.reset()
    setNaming(true)
  }
  const makeGroup = (input: GroupInput) =>
    create.mutate(input, {
      onSuccess: (group) => {
        setNaming(false)
        toast.success(`Group “${group.name}” created`, {
          description: 'You are its owner. Invite your team next.',
        })
        void navigate({ search: { group: group.id } })
      },
    })
  return (
    <Page
      title="Members and groups"
      description="A group owns its keys, requests and data. Only its members can see them."
      actions={
        mayCreate && (
          <Button icon={Plus} onClick={openDialog}>
            Create group
          </Button>
        )
      }
    >
      {groups.error && <FailureNotice error={groups.error} onRetry={() => groups.refetch()} />}
      {groups.isPending && <ListSkeleton />}
      {groups.data?.length === 0 && (
        <EmptyState
          icon={Users}
          title="You are not in a group yet"
          action={
            mayCreate && (
              <Button look="primary" icon={Plus} onClick={openDialog}>
                Create group
              </Button>
            )
          }
        >
          Ask a group owner for an invitation link{mayCreate && ', or create a group'}.
        </EmptyState>
      )}
      {groups.data && shown && (
        <div className="grid gap-6 md:grid-cols-[13rem_minmax(0,1fr)] md:gap-8">
          <GroupList groups={groups.data} shownId={shown.id} />
          <GroupDetail key={shown.id} group={shown} />
        </div>
      )}
      <GroupDialog
        open={naming}
        onClose={() => setNaming(false)}
        title="Create group"
        action="Create group"
        busy={create.isPending}
        error={create.error}
        onSubmit={makeGroup}
      />
    </Page>
  )
}

function GroupList({ groups, shownId }: { groups: Group[]; shownId: string }) {
  return (
    <ul aria-label="Groups" className="-mx-1 flex gap-1 overflow-x-auto px-1 py-0.5 md:flex-col">
      {groups.map((group) => (
        <li key={group.id} className="shrink-0">
          <Link
            to="/groups"
            search={{ group: group.id }}
            aria-current={group.id === shownId ? 'true' : undefined}
            className={clsx(
              'block rounded-lg border px-3 py-2 transition-colors',
              group.id === shownId
                ? 'border-line bg-surface shadow-low'
                : 'border-transparent hover:bg-hover',
            )}
          >
            <span className="block max-w-44 truncate text-sm font-medium">{group.name}</span>
            <span className="block text-xs text-ink-faint">
              {group.members} {group.members === 1 ? 'member' : 'members'} · {group.role}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
