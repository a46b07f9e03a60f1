import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { recentRunsQuery } from './runs/run-queries.ts'

const tabs = [
  { to: '/agents', label: 'Agents' },
  { to: '/agents/runs', label: 'Runs' },
] as const

/** The pages of agents, with the number of runs that wait for a person. */
export function AgentTabs({ groupId }: { groupId: string }) {
  const { data: waiting = [] } = useQuery(recentRunsQuery(groupId, { status: 'waiting' }, 50))
  return (
    <nav aria-label="Agents" className="mb-5 flex gap-5 border-b border-line">
      {tabs.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: true, includeSearch: false }}
          className="-mb-px border-b-2 border-transparent pb-2 text-sm font-medium text-ink-faint transition-colors hover:text-ink data-[status=active]:border-primary data-[status=active]:text-ink"
        >
          {label}
          {to === '/agents/runs' && waiting.length > 0 && (
            <span
              title="Wait for a person"
              className="ml-1.5 rounded-full bg-accent-soft px-1.5 py-0.5 text-xs text-accent"
            >
              {waiting.length}
            </span>
          )}
        </Link>
      ))}
    </nav>
  )
}
