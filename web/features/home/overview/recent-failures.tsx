import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { failuresQuery } from '../../../api/usage-queries.ts'
import { Badge } from '../../../ui/badge.tsx'
import { modelName } from '../../../ui/model-name.ts'
import { MomentText } from '../../../ui/moment-text.tsx'
import { Card } from '../../../ui/page.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'

const shown = 5

/** The last requests that failed, each leading to its record. */
export function RecentFailures({ groupId }: { groupId: string }) {
  const { data } = useQuery({ ...failuresQuery(groupId, shown), refetchInterval: 30_000 })
  return (
    <Card
      title="Recent failures"
      action={
        <Link to="/logs" search={{ status: 'error' }} className="text-sm text-accent hover:underline">
          All failures
        </Link>
      }
    >
      {!data && <Skeleton className="h-16" />}
      <ul className="divide-y divide-line">
        {data?.map((row) => (
          <li key={row.id} className="py-2 first:pt-0 last:pb-0">
            <Link to="/logs" search={{ request: row.request_id }} className="group block">
              <span className="flex items-baseline gap-2 text-sm">
                <Badge tone="danger">{row.status_code}</Badge>
                <span className="min-w-0 flex-1 truncate font-medium group-hover:underline">
                  {modelName(row.model)}
                </span>
                <span className="text-xs whitespace-nowrap text-ink-faint">
                  <MomentText time={row.started_at} />
                </span>
              </span>
              <span className="mt-0.5 line-clamp-2 text-xs [overflow-wrap:anywhere] text-ink-faint">
                {row.error_message ?? 'No reason given'}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
