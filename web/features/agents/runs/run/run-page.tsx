import { useState } from 'react'
import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { CircleStop } from 'lucide-react'
import { toast } from 'sonner'
import type { Run } from '#agents/contract'
import { useCurrentGroup, type CurrentGroup } from '../../../../api/session.ts'
import { NoGroup } from '../../../../shell/no-group.tsx'
import { RecordFailure } from '../../../../shell/record-failure.tsx'
import { FoldContext, type FoldState } from '../../../../ui/fold-state.ts'
import { MomentText } from '../../../../ui/moment-text.tsx'
import { FailureNotice } from '../../../../ui/notice.tsx'
import { Page } from '../../../../ui/page.tsx'
import { ListSkeleton } from '../../../../ui/skeleton.tsx'
import { call } from '../../../../api/client.ts'
import { refreshQueries } from '../../../../api/refresh-queries.ts'
import { AgentLink } from '../../../../ui/agent-name.tsx'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx'
import { StatusDot } from '../../../../ui/status-dot.tsx'
import { LinkedCard } from '../../../links/index.ts'
import { AgentTabs } from '../../agent-tabs.tsx'
import { useRunLog, type Connection } from '../live/use-run-log.ts'
import { runQuery, runsKey } from '../run-queries.ts'
import { hasEnded, titleOf, runDots, runNames } from '../run-words.ts'
import { ContinueBox } from './continue-box.tsx'
import { RunFacts } from './run-facts.tsx'
import { RunModel } from './run-model.tsx'
import { Timeline } from './timeline.tsx'
import { useFollowEnd } from './use-follow-end.ts'
import { WaitingCard } from './waiting-card.tsx'
import { WorkflowCard } from './workflow-card.tsx'

const route = getRouteApi('/shell/agents/runs/$runId')

export function RunPage() {
  const group = useCurrentGroup()
  const { runId } = route.useParams()
  return group === null ? <NoGroup /> : <RunDetail key={`${group.id} ${runId}`} group={group} runId={runId} />
}

function RunDetail({ group, runId }: { group: CurrentGroup; runId: string }) {
  const { data, error, isPending, refetch } = useQuery(runQuery(group.id, runId))
  const turns = data?.turns.length ?? 0
  const { log, connection } = useRunLog(group.id, runId, turns)
  // A run that has ended does not change; until then the events are newer than what was read, unless it was just continued.
  const isRead = data && (hasEnded(data.status) || log.turns < turns)
  const run: Run | undefined = data && (isRead ? data : { ...data, ...log.live })
  const isLive = run !== undefined && !hasEnded(run.status)
  const { end, pause } = useFollowEnd(isLive)
  const [folds] = useState<FoldState>(() => ({ open: new Map(), beforeToggle: pause }))
  if (error && !run) return <RecordFailure error={error} noun="run" to="/agents/runs" onRetry={refetch} />
  return (
    <Page
      title={run === undefined ? 'Run' : titleOf(run)}
      description={run && <RunOrigin run={run} />}
      actions={isLive && group.role !== 'viewer' && <CancelButton groupId={group.id} runId={runId} />}
      wide
    >
      <AgentTabs groupId={group.id} />
      {error && <FailureNotice error={error} onRetry={refetch} />}
      {isPending && <ListSkeleton />}
      {run && (
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <FoldContext value={folds}>
            <div className="min-w-0 space-y-4">
              <RunStatusLine run={run} connection={connection} />
              <Timeline run={run} entries={log.entries} isReplayed={connection !== 'connecting'} />
              {!isLive && run.error && <RunModel group={group} run={run} />}
              {run.waiting_for && (
                <WaitingCard
                  key={run.waiting_for.wait_id ?? run.waiting_for.tool_call_id}
                  group={group}
                  runId={runId}
                  waitingFor={run.waiting_for}
                />
              )}
              {!isLive && group.role !== 'viewer' && <ContinueBox groupId={group.id} runId={runId} />}
              <div ref={end} aria-hidden className="scroll-mb-6" />
            </div>
          </FoldContext>
          <aside aria-label="Facts" className="min-w-0 space-y-4 lg:sticky lg:top-6">
            {run.workflow && <WorkflowCard workflow={run.workflow} isLive={isLive} />}
            <RunFacts run={run} entries={log.entries} />
            {!run.error && <RunModel group={group} run={run} />}
            <LinkedCard group={group} thing={{ type: 'run', id: runId }} />
          </aside>
        </div>
      )}
    </Page>
  )
}

function RunOrigin({ run }: { run: Run }) {
  return (
    <>
      <AgentLink id={run.agent_id} className="text-accent underline underline-offset-2" />
      {`, version ${run.agent_version}, asked by ${run.asked_by.user?.name ?? run.started_by} `}
      <MomentText time={run.created_at} />
      {run.ticket && (
        <>
          {', for the ticket '}
          <Link
            to="/tickets/$id"
            params={{ id: run.ticket.id }}
            className="text-accent underline underline-offset-2"
          >
            {run.ticket.title}
          </Link>
        </>
      )}
    </>
  )
}

function CancelButton({ groupId, runId }: { groupId: string; runId: string }) {
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const cancel = useMutation({
    mutationFn: () => call('POST', '/api/agent-runs/{run_id}/cancel', { path: { run_id: runId } }),
    onSuccess: async () => {
      setAsking(false)
      toast.success('Run cancelled')
      await refreshQueries(queryClient, { queryKey: runsKey(groupId) })
    },
  })
  return (
    <>
      <Button icon={CircleStop} onClick={() => setAsking(true)}>
        Cancel run
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Cancel this run?"
        action="Cancel run"
        onConfirm={() => cancel.mutate()}
        busy={cancel.isPending}
        error={cancel.error}
      >
        <p>The agent stops at once. What it has already changed stays changed.</p>
      </ConfirmDialog>
    </>
  )
}

/** The status in words, and whether the page still hears from the server. */
function RunStatusLine({ run, connection }: { run: Run; connection: Connection }) {
  const { status } = run
  const isLive = !hasEnded(status)
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
      <span className="font-medium">
        <StatusDot status={runDots[status]} blinking={status === 'running'}>
          {runNames[status]}
        </StatusDot>
      </span>
      {status === 'queued' && <span className="text-ink-soft">Starts when another run has ended.</span>}
      {isLive && connection === 'lost' && <span className="text-accent">Connection lost. Reconnecting…</span>}
      {isLive && connection === 'refused' && (
        <span className="text-danger">No live updates. Reload the page.</span>
      )}
    </p>
  )
}
