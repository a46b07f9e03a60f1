import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { FilterX, Workflow } from 'lucide-react'
import type { RunStatus } from '#agents/contract'
import { inGroup } from '../../../../shell/no-group.tsx'
import { Button, buttonClass } from '../../../../ui/button.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { FilterSelect, namedChoices } from '../../../../ui/filter-select.tsx'
import { FailureNotice } from '../../../../ui/notice.tsx'
import { Page } from '../../../../ui/page.tsx'
import { ListSkeleton } from '../../../../ui/skeleton.tsx'
import { agentsQuery } from '../../../../api/agents.ts'
import { AgentTabs } from '../../agent-tabs.tsx'
import { readRunsAddress, type RunsAddress } from '../run-address.ts'
import { runsQuery } from '../run-queries.ts'
import { runNames } from '../run-words.ts'
import { RunTable } from './run-table.tsx'

const route = getRouteApi('/shell/agents/runs')

export const RunsPage = inGroup(({ group }) => <Runs groupId={group.id} />)

function Runs({ groupId }: { groupId: string }) {
  const address = route.useSearch()
  const list = useInfiniteQuery(runsQuery(groupId, address))
  const runs = list.data?.pages.flatMap(({ data }) => data)
  const isFiltered = Object.keys(address).length > 0
  return (
    <Page title="Agents" description="Every run: who asked, what it did and what it cost." wide>
      <AgentTabs groupId={groupId} />
      <div className="space-y-4">
        {(isFiltered || runs?.length !== 0) && <RunFilter groupId={groupId} address={address} />}
        {list.error && <FailureNotice error={list.error} onRetry={list.refetch} />}
        {list.isPending && <ListSkeleton />}
        {runs?.length === 0 && <NoRuns isFiltered={isFiltered} />}
        {runs && runs.length > 0 && <RunTable runs={runs} withAgent />}
        {list.hasNextPage && (
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        )}
      </div>
    </Page>
  )
}

function NoRuns({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState icon={FilterX} title="No matching runs">
        Choose another agent or status.
      </EmptyState>
    )
  return (
    <EmptyState
      icon={Workflow}
      title="No runs yet"
      action={
        <Link to="/agents" className={buttonClass('primary')}>
          Choose an agent
        </Link>
      }
    >
      Ask an agent to do something. Its run appears here with every step, its cost and what it waits for.
    </EmptyState>
  )
}

/** The filter is part of the address, so that a filtered list can be shared. */
function RunFilter({ groupId, address }: { groupId: string; address: RunsAddress }) {
  const { data: agents = [] } = useQuery(agentsQuery(groupId))
  const navigate = route.useNavigate()
  const change = (part: Record<string, string>) =>
    void navigate({ search: readRunsAddress({ ...address, ...part }), replace: true })
  return (
    <div role="search" aria-label="Filter" className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
      <FilterSelect
        label="Agent"
        all="All agents"
        className="sm:w-52"
        value={address.agent}
        choices={agents}
        onChange={(agent) => change({ agent })}
      />
      <FilterSelect
        label="Status"
        all="All statuses"
        className="sm:w-44"
        value={address.status}
        choices={namedChoices(Object.keys(runNames) as RunStatus[], runNames)}
        onChange={(status) => change({ status })}
      />
      {Object.keys(address).length > 0 && (
        <Button look="quiet" icon={FilterX} onClick={() => change({ agent: '', status: '' })}>
          Clear filters
        </Button>
      )}
    </div>
  )
}
