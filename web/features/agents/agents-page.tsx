import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Bot, Plus } from 'lucide-react'
import type { Agent } from '#agents/contract'
import { storedPolicySchema } from '#sql/contract'
import { mayManage, type CurrentGroup } from '../../api/session.ts'
import { inGroup } from '../../shell/no-group.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import { AgentDialog } from './agent-dialog.tsx'
import { agentsQuery } from '../../api/agents.ts'
import { DefaultModelsCard } from './default-models.tsx'
import { AgentTabs } from './agent-tabs.tsx'

const route = getRouteApi('/shell/agents')

export const AgentsPage = inGroup(AgentList)

function AgentList({ group }: { group: CurrentGroup }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, isPending, refetch } = useQuery(agentsQuery(group.id))
  const setAdding = (adding: boolean) => void navigate({ search: adding ? { new: true } : {}, replace: true })
  const add = mayManage(group.role) && (
    <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
      Add agent
    </Button>
  )
  return (
    <Page
      title="Agents"
      description="Agents that work for the team, and what each may do in databases."
      actions={add}
      wide
    >
      <AgentTabs groupId={group.id} />
      {error && <FailureNotice error={error} onRetry={refetch} />}
      {isPending && <ListSkeleton />}
      {data?.length === 0 && (
        <EmptyState icon={Bot} title="No agents" action={add || undefined}>
          {add
            ? 'An agent is a model with a task and rules. Add one, then ask it to do something.'
            : 'An admin of the group adds agents. You can then ask them to do something here.'}
        </EmptyState>
      )}
      <ul className="mb-6 grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {data?.map((agent) => (
          <AgentCard key={agent.id} agent={agent} />
        ))}
      </ul>
      <DefaultModelsCard groupId={group.id} mayChange={mayManage(group.role)} />
      {add && search.new && <AgentDialog groupId={group.id} onClose={() => setAdding(false)} />}
    </Page>
  )
}

function AgentCard({ agent }: { agent: Agent }) {
  const policy = storedPolicySchema.safeParse(agent.config.policy).data
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
        {'Model: '}
        <span className="font-mono [overflow-wrap:anywhere]">{agent.model}</span>
      </p>
      <p className="mt-1 text-xs text-ink-faint">
        {policy === undefined
          ? 'No access to databases'
          : `${policy.allowed_databases.join(', ')}: ${policy.allowed_operations.length} operations run at once, ${policy.requires_approval.length} need approval`}
      </p>
    </li>
  )
}
