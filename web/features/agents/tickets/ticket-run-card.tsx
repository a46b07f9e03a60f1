import { Link } from '@tanstack/react-router'
import type { RunStatus } from '#agents/contract'
import { useAgentName } from '../../../ui/agent-name.tsx'
import { Markdown } from '../../../ui/markdown/markdown.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Card } from '../../../ui/page.tsx'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { runDots, runNames } from '../runs/run-words.ts'

interface TicketRun {
  agent_id: string | null
  run_id: string | null
  run_status: RunStatus | null
  run_result: string | null
}

/** What an agent did about a ticket. Shown only where one did. */
export function TicketRunCard({ agent_id, run_id, run_status, run_result }: TicketRun) {
  const nameOf = useAgentName()
  if (run_id === null || run_status === null) return null
  return (
    <Card
      title={agent_id === null ? 'Agent' : nameOf(agent_id)}
      action={
        <Link
          to="/agents/runs/$runId"
          params={{ runId: run_id }}
          className="text-sm text-accent underline underline-offset-2"
        >
          Open run
        </Link>
      }
    >
      <p role="status" className="text-sm font-medium">
        <StatusDot status={runDots[run_status]} blinking={run_status === 'running'}>
          {runNames[run_status]}
        </StatusDot>
      </p>
      {run_status === 'waiting' && (
        <p className="mt-2 text-sm text-ink-soft">It waits for a person. Open the run to answer.</p>
      )}
      {run_result !== null && (
        <div className="mt-3">
          {run_status === 'failed' ? (
            <Notice tone="danger" title={run_result} />
          ) : (
            <Markdown source={run_result} />
          )}
        </div>
      )}
    </Card>
  )
}
