import type { ReactNode } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Plus, SearchX, Target } from 'lucide-react'
import { mayWrite, useCurrentGroup, type CurrentGroup } from '../../../api/session.ts'
import { NoGroup } from '../../../shell/no-group.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { ListSkeleton } from '../../../ui/skeleton.tsx'
import { InitiativeDialog } from '../initiative-dialog.tsx'
import { initiativesQuery } from '../initiative-queries.ts'
import { statusChoices } from '../initiative-words.ts'
import type { InitiativesAddress } from '../initiatives-address.ts'
import { InitiativeTable } from './initiative-table.tsx'

const route = getRouteApi('/shell/initiatives')

export function InitiativesPage() {
  const group = useCurrentGroup()
  return group === null ? <NoGroup /> : <Initiatives key={group.id} group={group} />
}

function Initiatives({ group }: { group: CurrentGroup }) {
  const address = route.useSearch()
  const navigate = route.useNavigate()
  const show = (search: InitiativesAddress) => void navigate({ search, replace: true })
  const { new: isAdding, ...filter } = address
  const create = mayWrite(group) && (
    <Button look="primary" icon={Plus} onClick={() => show({ ...filter, new: true })}>
      Create initiative
    </Button>
  )
  return (
    <Page
      title="Initiatives"
      description="What the team wants to achieve, how sure it is to get there, and what was decided on the way."
      wide
      actions={create}
    >
      <div className="space-y-4">
        <Segmented
          label="Status"
          value={filter.status ?? 'all'}
          onChange={(status) => show(status === 'all' ? {} : { status })}
          choices={[{ id: 'all' as const, label: 'All' }, ...statusChoices]}
        />
        <List group={group} status={filter.status} create={create} onClear={() => show({})} />
      </div>
      {isAdding === true && mayWrite(group) && (
        <InitiativeDialog groupId={group.id} onClose={() => show(filter)} />
      )}
    </Page>
  )
}

interface ListProps {
  group: CurrentGroup
  status: InitiativesAddress['status']
  create: ReactNode
  onClear: () => void
}

function List({ group, status, create, onClear }: ListProps) {
  const list = useInfiniteQuery(initiativesQuery(group.id, status))
  const items = list.data?.pages.flatMap(({ data }) => data)
  if (list.error) return <FailureNotice error={list.error} onRetry={() => list.refetch()} />
  if (!items) return <ListSkeleton />
  if (items.length === 0 && status !== undefined)
    return (
      <EmptyState
        icon={SearchX}
        title="No matching initiatives"
        action={<Button onClick={onClear}>Show all initiatives</Button>}
      >
        No initiative has this status.
      </EmptyState>
    )
  if (items.length === 0)
    return (
      <EmptyState icon={Target} title="No initiatives yet" action={create || undefined}>
        An initiative has a goal, criteria with a confidence, open questions and decisions. In a stand-up, an
        agent reports what changed and asks for the decisions that it needs.
      </EmptyState>
    )
  return (
    <div className="space-y-3">
      <InitiativeTable initiatives={items} />
      {list.hasNextPage && (
        <div className="flex justify-center">
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </div>
  )
}
