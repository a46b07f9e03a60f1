import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { DatabaseZap, Plus } from 'lucide-react'
import type { OfferedDatabase } from '#sql/contract'
import { mayManage, type CurrentGroup } from '../../../api/session.ts'
import { inGroup } from '../../../shell/no-group.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FailureNotice, Notice } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { ListSkeleton } from '../../../ui/skeleton.tsx'
import { databasesQuery } from '../sql-queries.ts'
import { SqlTabs } from '../sql-tabs.tsx'
import { DatabaseCard } from './database-card.tsx'
import { DatabaseDialog } from './database-dialog.tsx'

const route = getRouteApi('/shell/sql/databases')

export const DatabasesPage = inGroup(Databases)

function Databases({ group }: { group: CurrentGroup }) {
  const { new: isNew } = route.useSearch()
  const navigate = route.useNavigate()
  const databases = useQuery(databasesQuery(group.id))
  const manages = mayManage(group.role)
  const setAdding = (open: boolean) => void navigate({ search: open ? { new: true } : {}, replace: true })
  const add = manages && (
    <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
      Add database
    </Button>
  )
  return (
    <Page
      title="SQL"
      description="The databases that people and agents of this group reach, and what works in each of them now."
      wide
      actions={add}
    >
      <SqlTabs groupId={group.id} />
      {databases.error && <FailureNotice error={databases.error} onRetry={() => databases.refetch()} />}
      {databases.isPending && <ListSkeleton />}
      {databases.data?.length === 0 && (
        <EmptyState icon={DatabaseZap} title="No databases yet" action={add}>
          {manages
            ? 'Add a PostgreSQL database by its address. Agents reach it through roles of their own, under the rules of their policy.'
            : 'An admin or owner of the group can add a PostgreSQL database here.'}
        </EmptyState>
      )}
      {databases.data && databases.data.length > 0 && (
        <div className="space-y-4">
          {!manages && <Notice tone="info" title="Admins and owners add and change databases." />}
          {databases.data.toSorted(ownFirst).map((database) => (
            <DatabaseCard key={database.name} group={group} database={database} />
          ))}
        </div>
      )}
      {isNew === true && manages && <DatabaseDialog groupId={group.id} onClose={() => setAdding(false)} />}
    </Page>
  )
}

/** Those of the group first, newest first. */
const ownFirst = (a: OfferedDatabase, b: OfferedDatabase): number =>
  (b.created_at ?? '').localeCompare(a.created_at ?? '')
