import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FailureNotice } from '../../../../ui/notice.tsx'
import { recentRunsQuery } from '../run-queries.ts'
import { RunTable } from './run-table.tsx'

/** The last runs of one agent. */
export function RecentRuns({ groupId, agentId }: { groupId: string; agentId: string }) {
  const { data = [], error, refetch } = useQuery(recentRunsQuery(groupId, { agent: agentId }, 5))
  if (error) return <FailureNotice error={error} onRetry={refetch} />
  if (data.length === 0) return null
  return (
    <section aria-label="Recent runs" className="space-y-3">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="text-base font-semibold">Recent runs</h2>
        <Link to="/agents/runs" search={{ agent: agentId }} className="text-sm text-accent hover:underline">
          All runs
        </Link>
      </div>
      <RunTable runs={data} />
    </section>
  )
}
