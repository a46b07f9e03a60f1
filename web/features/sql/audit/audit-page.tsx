import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Download, ScrollText } from 'lucide-react'
import { auditStatuses, type AuditRecord } from '#sql/contract'
import type { CurrentGroup } from '../../../api/session.ts'
import { inGroup } from '../../../shell/no-group.tsx'
import { useAgentName } from '../../../ui/agent-name.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FilterSelect, namedChoices } from '../../../ui/filter-select.tsx'
import { SearchInput } from '../../../ui/input.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { ListSkeleton } from '../../../ui/skeleton.tsx'
import { Table } from '../../../ui/table.tsx'
import { readAuditAddress } from '../sql-address.ts'
import { addressOf } from '../../../api/client.ts'
import { auditQuery, databasesQuery } from '../sql-queries.ts'
import { useAskerName } from '../asker-text.tsx'
import { SqlTabs } from '../sql-tabs.tsx'
import { auditNames, auditTones } from '../sql-words.ts'
import { AuditPanel } from './audit-panel.tsx'
import { executorName } from './executor-name.ts'

const route = getRouteApi('/shell/sql/audit')

export const AuditPage = inGroup(Audit)

function Audit({ group }: { group: CurrentGroup }) {
  const address = route.useSearch()
  const navigate = route.useNavigate()
  const { open, agent, ...rest } = address
  const filter = { ...rest, agent_id: agent }
  const list = useInfiniteQuery(auditQuery(group.id, filter))
  const { data: databases = [] } = useQuery(databasesQuery(group.id))
  const change = (part: Record<string, unknown>) =>
    void navigate({ search: readAuditAddress({ ...address, ...part }), replace: true })
  const records = list.data?.pages.flatMap(({ data }) => data)
  const shown = records?.find(({ id }) => id === open)
  return (
    <Page
      title="SQL"
      description={
        <>
          Every attempt: executed, failed, refused, paused, approved, rejected. Entries are chained by hash;{' '}
          <code className="font-mono text-[0.9em]">signalbox audit verify</code> checks the chain.
        </>
      }
      wide
      actions={
        <a className={buttonClass()} href={addressOf('/api/v1/sql/logs/export', { query: filter })} download>
          <Download aria-hidden className="size-4" /> Export
        </a>
      }
    >
      <SqlTabs groupId={group.id} />
      <div role="search" aria-label="Filter" className="mb-4 grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
        <SearchInput
          label="Search statements"
          className="col-span-2 sm:w-72"
          defaultValue={address.q ?? ''}
          onChange={(event) => change({ q: event.target.value })}
        />
        <FilterSelect
          label="Database"
          all="All databases"
          className="sm:w-44"
          value={address.database}
          choices={databases.map(({ name }) => ({ id: name, name }))}
          onChange={(database) => change({ database })}
        />
        <FilterSelect
          label="Outcome"
          all="All outcomes"
          className="sm:w-48"
          value={address.status}
          choices={namedChoices(auditStatuses, auditNames)}
          onChange={(status) => change({ status })}
        />
      </div>
      {list.error && <FailureNotice error={list.error} onRetry={() => list.refetch()} />}
      {list.isPending && <ListSkeleton />}
      {records?.length === 0 && (
        <EmptyState icon={ScrollText} title="No attempts">
          Statements that people and agents send through the SQL proxy appear here, with their outcome.
        </EmptyState>
      )}
      {records && records.length > 0 && (
        <AuditTable records={records} onOpen={(id) => change({ open: id })} />
      )}
      {list.hasNextPage && (
        <div className="mt-3 flex justify-center">
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
      {shown && <AuditPanel groupId={group.id} record={shown} onClose={() => change({ open: undefined })} />}
    </Page>
  )
}

function AuditTable({ records, onOpen }: { records: AuditRecord[]; onOpen: (id: string) => void }) {
  const askerName = useAskerName()
  const agentName = useAgentName()
  // The text of a policy is JSON, which says less in a list than whose policy it is.
  const titleOf = ({ kind, agent_id: agent, reason, sql }: AuditRecord): string =>
    kind === 'policy' && agent !== null ? `${agentName(agent)}: ${reason}` : sql
  return (
    <Table
      label="Audit log"
      rows={records}
      rowKey={({ seq }) => seq}
      rowProps={({ id }) => ({ className: 'cursor-pointer', onClick: () => onOpen(id) })}
      columns={[
        {
          name: 'Statement',
          value: titleOf,
          cell: (record) => (
            <button type="button" className="block w-full text-left" onClick={() => onOpen(record.id)}>
              <code className="line-clamp-2 font-mono text-xs [overflow-wrap:anywhere]">
                {titleOf(record)}
              </code>
            </button>
          ),
        },
        {
          name: 'Outcome',
          value: ({ status }) => auditNames[status],
          cell: ({ status }) => <Badge tone={auditTones[status]}>{auditNames[status]}</Badge>,
        },
        { name: 'Database', value: ({ database }) => database, className: 'text-sm' },
        { name: 'Rows', value: ({ rows_affected }) => rows_affected, className: 'text-sm' },
        {
          name: 'By',
          value: (record) => executorName(record, askerName),
          className: 'text-sm',
        },
        { name: 'When', time: ({ created_at }) => created_at, className: 'text-sm' },
      ]}
    />
  )
}
