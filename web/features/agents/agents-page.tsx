import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bot } from 'lucide-react'
import type { Agent } from '#agents/contract'
import { policySchema } from '#sql/contract'
import { useCurrentGroup } from '../../api/session.ts'
import { NoGroup } from '../../shell/no-group.tsx'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import { agentsQuery } from './agent-queries.ts'
import { AgentTabs } from './agent-tabs.tsx'

export function AgentsPage() {
  const group = useCurrentGroup()
  return group === null ? <NoGroup /> : <AgentList key={group.id} groupId={group.id} />
}

function AgentList({ groupId }: { groupId: string }) {
  const { data, error, isPending, refetch } = useQuery(agentsQuery(groupId))
  return (
    <Page title="Agents" description="What works for the team on its own, and what each may do in databases.">
      <AgentTabs groupId={groupId} />
      {error && <FailureNotice error={error} onRetry={refetch} />}
      {isPending && <ListSkeleton />}
      {data?.length === 0 && (
        <EmptyState icon={Bot} title="No agents">
          Agents are added with POST /api/agents.
        </EmptyState>
      )}
      <ul className="grid gap-4 sm:grid-cols-2">
        {data?.map((agent) => (
          <AgentCard key={agent.id} agent={agent} />
        ))}
      </ul>
    </Page>
  )
}

function AgentCard({ agent }: { agent: Agent }) {
  const policy = policySchema.safeParse(agent.config.policy).data
  return (
    <li className="rounded-xl border border-line bg-surface p-5 shadow-low">
      <div className="flex flex-wrap items-center gap-1.5">
        <Link
          to="/agents/$id"
          params={{ id: agent.id }}
          className="min-w-0 font-semibold [overflow-wrap:anywhere] hover:underline"
        >
          {agent.name}
        </Link>
        <Badge>{agent.category}</Badge>
        {policy && (
          <Badge tone={policy.environment === 'prod' ? 'danger' : 'info'}>{policy.environment}</Badge>
        )}
      </div>
      <p className="mt-1 text-sm text-ink-soft">{agent.description || agent.capabilities.join(', ')}</p>
      <p className="mt-3 text-xs text-ink-faint">
        {policy === undefined
          ? 'No access to databases'
          : `${policy.allowed_databases.join(', ')}: ${policy.allowed_operations.length} operations run at once, ${policy.requires_approval.length} need approval`}
      </p>
    </li>
  )
}
