import type { ReactNode } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { Plus, SearchX, Target } from 'lucide-react'
import { mayWrite, type CurrentGroup } from '../../../api/session.ts'
import { inGroup } from '../../../shell/no-group.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { PagedList } from '../../../ui/paged-list.tsx'
import { InitiativeDialog } from '../initiative-dialog.tsx'
import { initiativesQuery } from '../initiative-queries.ts'
import { statusChoices } from '../initiative-words.ts'
import type { InitiativesAddress } from '../initiatives-address.ts'
import { InitiativeTable } from './initiative-table.tsx'

const route = getRouteApi('/shell/initiatives')

export const InitiativesPage = inGroup(Initiatives)

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
  const empty =
    status === undefined ? (
      <EmptyState icon={Target} title="No initiatives yet" action={create || undefined}>
        An initiative has a goal, criteria with a confidence, open questions and decisions. In a stand-up, an
        agent reports what changed and asks for the decisions that it needs.
      </EmptyState>
    ) : (
      <EmptyState
        icon={SearchX}
        title="No matching initiatives"
        action={<Button onClick={onClear}>Show all initiatives</Button>}
      >
        No initiative has this status.
      </EmptyState>
    )
  return (
    <PagedList query={initiativesQuery(group.id, status)} empty={empty}>
      {(initiatives) => <InitiativeTable initiatives={initiatives} />}
    </PagedList>
  )
}
