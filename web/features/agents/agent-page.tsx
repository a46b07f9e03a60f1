import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Agent } from '#agents/contract'
import { useCurrentGroup, mayManage, mayWrite, type CurrentGroup } from '../../api/session.ts'
import { NoGroup } from '../../shell/no-group.tsx'
import { RecordFailure } from '../../shell/record-failure.tsx'
import { BackLink } from '../../ui/back-link.tsx'
import { Badge } from '../../ui/badge.tsx'
import { MomentText } from '../../ui/moment-text.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { agentQuery, versionsQuery } from './agent-queries.ts'
import { AgentSettings } from './agent-settings.tsx'
import { DeleteAgent } from './delete-agent.tsx'
import { PolicyEditor } from './policy-editor.tsx'
import { AskBox } from './runs/ask/ask-box.tsx'
import { SchedulesCard } from './schedules/schedules-card.tsx'
import { TryPolicy } from './try-policy.tsx'
import { recentRunsQuery } from './runs/run-queries.ts'
import { RunTable } from './runs/list/run-table.tsx'

const route = getRouteApi('/shell/agents/$id')

export function AgentPage() {
  const group = useCurrentGroup()
  const { id } = route.useParams()
  return group === null ? <NoGroup /> : <AgentDetail key={`${group.id} ${id}`} group={group} id={id} />
}

function AgentDetail({ group, id }: { group: CurrentGroup; id: string }) {
  const { data: agent, error, refetch } = useQuery(agentQuery(group.id, id))
  if (error && !agent) return <RecordFailure error={error} noun="agent" to="/agents" onRetry={refetch} />
  return (
    <>
      <BackLink to="/agents">Agents</BackLink>
      <Page
        title={agent?.name ?? id}
        description={agent?.description || undefined}
        actions={agent && mayManage(group.role) && <DeleteAgent groupId={group.id} agent={agent} />}
      >
        {agent ? <AgentCards group={group} agent={agent} /> : <ListSkeleton />}
      </Page>
    </>
  )
}

function AgentCards({ group, agent }: { group: CurrentGroup; agent: Agent }) {
  const mayChange = mayManage(group.role)
  return (
    <div className="space-y-5">
      {agent.capabilities.length > 0 && (
        <p className="flex flex-wrap gap-1.5">
          {agent.capabilities.map((capability) => (
            <Badge key={capability}>{capability}</Badge>
          ))}
        </p>
      )}
      {group.role !== 'viewer' && <AskBox group={group} agent={agent} />}
      <RecentRuns groupId={group.id} agentId={agent.id} />
      <SchedulesCard groupId={group.id} agentId={agent.id} mayChange={mayWrite(group)} />
      <PolicyEditor key={agent.version} groupId={group.id} agent={agent} mayChange={mayChange} />
      {agent.config.policy !== null && <TryPolicy groupId={group.id} agent={agent} />}
      <section id="agent-settings" className="scroll-mt-6">
        <AgentSettings
          key={`settings ${agent.version}`}
          groupId={group.id}
          agent={agent}
          mayChange={mayChange}
        />
      </section>
      <Versions groupId={group.id} id={agent.id} />
    </div>
  )
}

function Versions({ groupId, id }: { groupId: string; id: string }) {
  const { data = [] } = useQuery(versionsQuery(groupId, id))
  return (
    <Card title="Versions" description="Every change. Approvals are bound to the version of the policy.">
      <ul className="space-y-2 text-sm">
        {data.map(({ version, policy_version, change, changed_by, changed_at }) => (
          <li key={version} className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-medium">{`Version ${version}`}</span>
            <span className="text-ink-soft">{`${change} by ${changed_by}, policy ${policy_version}`}</span>
            <span className="text-xs text-ink-faint">
              <MomentText time={changed_at} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The last runs of one agent. */
function RecentRuns({ groupId, agentId }: { groupId: string; agentId: string }) {
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
