import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Gauge, Plus } from 'lucide-react'
import type { Limit } from '#limits/contract'
import { call } from '../../api/client.ts'
import { limitsQuery } from '../../api/limits.ts'
import { mayManage, type CurrentGroup } from '../../api/session.ts'
import { inGroup } from '../../shell/no-group.tsx'
import { Button } from '../../ui/button.tsx'
import { DeleteDialog } from '../../ui/delete-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import { LimitDialog } from './limit-dialog.tsx'
import { limitText } from './limit-words.ts'
import { LimitsTable } from './limits-table.tsx'
import { useSubjectName } from './subjects.ts'

const route = getRouteApi('/shell/limits')

export const LimitsPage = inGroup(Limits)

function Limits({ group }: { group: CurrentGroup }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const limits = useQuery(limitsQuery(group.id))
  const setAdding = (isNew: boolean) => void navigate({ search: isNew ? { new: true } : {}, replace: true })
  const manages = mayManage(group.role)
  const add = manages && (
    <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
      Add limit
    </Button>
  )
  return (
    <Page
      title="Limits"
      description="Budgets and rate limits for the group, a key, a person, a model, a provider or a tag."
      actions={add}
    >
      {limits.error && <FailureNotice error={limits.error} onRetry={() => limits.refetch()} />}
      {limits.isPending && <ListSkeleton />}
      {limits.data?.length === 0 && (
        <EmptyState icon={Gauge} title="No limits yet" action={add}>
          Without a limit nothing is refused. A budget stops a runaway loop before it gets expensive; a rate
          keeps one app from using up what all share. A limit can also only warn.
        </EmptyState>
      )}
      {limits.data && limits.data.length > 0 && (
        <LimitList group={group} limits={limits.data} manages={manages} marked={search.limit} />
      )}
      {search.new === true && manages && (
        <LimitDialog group={group} given={search} onClose={() => setAdding(false)} />
      )}
    </Page>
  )
}

interface LimitListProps {
  group: CurrentGroup
  limits: readonly Limit[]
  manages: boolean
  /** The ID of the limit that a link is about. */
  marked: string | undefined
}

function LimitList({ group, limits, manages, marked }: LimitListProps) {
  const nameOf = useSubjectName(group)
  const [edited, setEdited] = useState<Limit | null>(null)
  const [deleted, setDeleted] = useState<Limit | null>(null)
  return (
    <>
      <LimitsTable
        limits={limits}
        manages={manages}
        marked={marked}
        nameOf={nameOf}
        onEdit={setEdited}
        onDelete={setDeleted}
      />
      {edited && <LimitDialog group={group} limit={edited} onClose={() => setEdited(null)} />}
      {deleted && (
        <DeleteDialog
          queryKey={['limits', group.id]}
          remove={() => call('DELETE', '/api/v1/limits/{id}', { path: { id: deleted.id } })}
          noun="limit"
          onClose={() => setDeleted(null)}
        >
          <p>
            {nameOf(deleted.subject)} is no longer limited to {limitText(deleted)}. The usage log keeps what
            was used.
          </p>
        </DeleteDialog>
      )}
    </>
  )
}
