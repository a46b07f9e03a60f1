import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import type { Approval } from '#sql/contract'
import { call } from '../../../api/client.ts'
import { refreshQueries } from '../../../api/refresh-queries.ts'
import { useCurrentGroup } from '../../../api/session.ts'
import { NoGroup } from '../../../shell/no-group.tsx'
import { RecordFailure } from '../../../shell/record-failure.tsx'
import { AgentLink } from '../../../ui/agent-name.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { FailureNotice, Notice } from '../../../ui/notice.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { ListSkeleton } from '../../../ui/skeleton.tsx'
import { PlanTree } from '../console/plan/plan-tree.tsx'
import { ResultGrid } from '../console/result/result-grid.tsx'
import { AskerText } from '../asker-text.tsx'
import { CopyOfApproval } from '../migrations/copy-of-approval.tsx'
import { MigrationLink } from '../migrations/migration-link.tsx'
import { approvalQuery, sqlKey } from '../sql-queries.ts'
import { SqlTabs } from '../sql-tabs.tsx'
import { approvalNames, approvalTones } from '../sql-words.ts'
import { StatementText } from '../statement-text.tsx'
import { DecideForm } from './decide-form.tsx'
import { EvidenceCard } from './evidence-card.tsx'

const route = getRouteApi('/shell/sql/approvals/$id')

export function ApprovalPage() {
  const group = useCurrentGroup()
  const { id } = route.useParams()
  return group === null ? (
    <NoGroup />
  ) : (
    <ApprovalDetail key={`${group.id} ${id}`} groupId={group.id} id={id} />
  )
}

function ApprovalDetail({ groupId, id }: { groupId: string; id: string }) {
  const { data: approval, error, isPending, refetch } = useQuery(approvalQuery(groupId, id))
  if (error && !approval)
    return <RecordFailure error={error} noun="approval" to="/sql/approvals" onRetry={refetch} />
  return (
    <Page title="Approval" description={approval?.asked_reason} wide>
      <SqlTabs groupId={groupId} />
      {isPending && <ListSkeleton />}
      {approval && (
        <div className="grid items-start gap-5 lg:grid-cols-[1fr_20rem]">
          <div className="min-w-0 space-y-5">
            <Card title={`${approval.operations.join(', ')} in ${approval.database}`}>
              <StatementText sql={approval.sql} />
              {approval.params !== null && approval.params.length > 0 && (
                <p className="mt-2 font-mono text-xs text-ink-soft">{`Parameters: ${JSON.stringify(approval.params)}`}</p>
              )}
            </Card>
            <Card title="What it would do" description="From a trial run that was rolled back.">
              <EvidenceCard evidence={approval.preview} />
            </Card>
            {approval.kind === 'migrate' && <CopyOfApproval groupId={groupId} approvalId={approval.id} />}
            {approval.preview.plan !== null && (
              <Card title="Plan">
                <PlanTree plan={approval.preview.plan} />
              </Card>
            )}
          </div>
          <Decision groupId={groupId} approval={approval} />
        </div>
      )}
    </Page>
  )
}

function Decision({ groupId, approval }: { groupId: string; approval: Approval }) {
  const queryClient = useQueryClient()
  const refresh = () => refreshQueries(queryClient, { queryKey: sqlKey(groupId) })
  const run = useMutation({
    mutationFn: () => call('POST', '/api/v1/sql/approvals/{id}/run', { path: { id: approval.id } }),
    onSettled: refresh,
  })
  const { status } = approval
  return (
    <div className="space-y-4">
      <Card>
        <dl className="space-y-3 text-sm">
          <div>
            <Badge tone={approvalTones[status]}>{approvalNames[status]}</Badge>
          </div>
          {approval.kind === 'migrate' && <MigrationLink groupId={groupId} approvalId={approval.id} />}
          <Line label="Asked by">
            <AskerText askedBy={approval.asked_by} otherwise={approval.requested_by} />
          </Line>
          <Line label="Asked">
            <MomentText time={approval.created_at} />
          </Line>
          <Line label="Policy">
            <AgentLink id={approval.agent_id} className="text-accent hover:underline" />
            {`, version ${approval.policy_version}, rule `}
            <code className="font-mono text-xs">{approval.rule}</code>
          </Line>
          {approval.decided_by !== null && <Line label="Decided by">{approval.decided_by}</Line>}
          {approval.note !== null && <Line label="Note">{approval.note}</Line>}
          {status === 'expired' ? (
            <Line label="Ended">{approval.reason}</Line>
          ) : (
            <Line label="Expires">
              <MomentText time={approval.expires_at} />
            </Line>
          )}
        </dl>
      </Card>
      {status === 'pending' && (
        <Card title="Decide" description="It counts once, for exactly this text.">
          <DecideForm groupId={groupId} approval={approval} />
        </Card>
      )}
      {status === 'approved' && approval.asked_by.run_id !== null && (
        <Notice tone="info" title="The run that asked for it runs it now" />
      )}
      {status === 'approved' && approval.is_runnable && (
        <Card title="Run it" description="Or the caller sends it again with this approval.">
          <Button look="primary" icon={Play} busy={run.isPending} onClick={() => run.mutate()}>
            Run now
          </Button>
        </Card>
      )}
      {run.error && <FailureNotice error={run.error} />}
      {run.data?.status === 'executed' &&
        // A migration has no rows to show, nor has its rollback.
        ('columns' in run.data ? <ResultGrid result={run.data} /> : <Notice tone="info" title="Done" />)}
    </div>
  )
}

function Line({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-ink-faint">{label}</dt>
      <dd className="mt-0.5 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}
