import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { GitCommitVertical } from 'lucide-react'
import type { Migration } from '#sql/contract'
import type { CurrentGroup } from '../../../api/session.ts'
import { inGroup } from '../../../shell/no-group.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FilterSelect, namedChoices } from '../../../ui/filter-select.tsx'
import { SearchInput } from '../../../ui/input.tsx'
import { Page } from '../../../ui/page.tsx'
import { PagedList } from '../../../ui/paged-list.tsx'
import { durationText } from '../../../ui/quantity.ts'
import { Table } from '../../../ui/table.tsx'
import { useAskerName } from '../asker-text.tsx'
import { readMigrationsAddress } from '../sql-address.ts'
import { agentsQuery, databasesQuery } from '../sql-queries.ts'
import { SqlTabs } from '../sql-tabs.tsx'
import { migrationsQuery } from './migration-queries.ts'
import { migrationNames, migrationStates, migrationTones } from './migration-words.ts'

const route = getRouteApi('/shell/sql/migrations')

export const MigrationsPage = inGroup(Migrations)

function Migrations({ group }: { group: CurrentGroup }) {
  const address = route.useSearch()
  const { agent, ...filter } = address
  const isFiltered = Object.keys(address).length > 0
  return (
    <Page
      title="SQL"
      description="Changes of the structure of your databases: who asked, who approved, what they did, and how to take them back."
      wide
    >
      <SqlTabs groupId={group.id} />
      <Filter groupId={group.id} />
      <PagedList
        query={migrationsQuery(group.id, { ...filter, agent_id: agent })}
        every={10_000}
        empty={
          <EmptyState
            icon={GitCommitVertical}
            title={isFiltered ? 'No matching migrations' : 'No migrations yet'}
          >
            {isFiltered
              ? 'Migrations that were applied by other means appear when you choose their database.'
              : 'When an agent, a key or a person sends a migration (POST /api/v1/sql/migrate), it appears here with its statements and what they do.'}
          </EmptyState>
        }
      >
        {(migrations) => <MigrationTable migrations={migrations} />}
      </PagedList>
    </Page>
  )
}

function Filter({ groupId }: { groupId: string }) {
  const address = route.useSearch()
  const navigate = route.useNavigate()
  const { data: databases = [] } = useQuery(databasesQuery(groupId))
  const { data: agents = [] } = useQuery(agentsQuery(groupId))
  const change = (part: Record<string, unknown>) =>
    void navigate({ search: readMigrationsAddress({ ...address, ...part }), replace: true })
  return (
    <div role="search" aria-label="Filter" className="mb-4 grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
      <SearchInput
        label="Search migrations"
        className="col-span-2 sm:w-64"
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
        label="State"
        all="All states"
        className="sm:w-44"
        value={address.state}
        choices={namedChoices(migrationStates, migrationNames)}
        onChange={(state) => change({ state })}
      />
      <FilterSelect
        label="Agent"
        all="All agents"
        className="col-span-2 sm:w-44"
        value={address.agent}
        choices={agents.map(({ id, name }) => ({ id, name }))}
        onChange={(agent) => change({ agent })}
      />
    </div>
  )
}

function MigrationTable({ migrations }: { migrations: Migration[] }) {
  const askerName = useAskerName()
  return (
    <Table
      label="Migrations"
      rows={migrations}
      rowKey={({ id }) => id}
      columns={[
        {
          name: 'Name',
          value: ({ name }) => name,
          cell: ({ id, name, operations, is_elsewhere }) => (
            <Link to="/sql/migrations/$id" params={{ id }} className="block min-w-0 hover:underline">
              <span className="font-medium [overflow-wrap:anywhere]">{name}</span>
              <span className="mt-0.5 line-clamp-1 block text-xs text-ink-faint">
                {is_elsewhere ? 'Applied elsewhere' : operations.join(', ')}
              </span>
            </Link>
          ),
        },
        {
          name: 'State',
          value: ({ state }) => migrationNames[state],
          cell: ({ state }) => <Badge tone={migrationTones[state]}>{migrationNames[state]}</Badge>,
        },
        { name: 'Database', value: ({ database }) => database, className: 'text-sm' },
        {
          name: 'Asked by',
          value: ({ asked_by, requested_by }) => askerName(asked_by, requested_by),
          className: 'text-sm',
        },
        { name: 'Decided by', value: ({ decided_by }) => decided_by, className: 'text-sm' },
        {
          name: 'Took',
          value: ({ duration_ms }) => duration_ms,
          cell: ({ duration_ms }) => (duration_ms === null ? '–' : durationText(duration_ms)),
          className: 'text-sm',
        },
        { name: 'When', time: ({ asked_at }) => asked_at },
      ]}
    />
  )
}
