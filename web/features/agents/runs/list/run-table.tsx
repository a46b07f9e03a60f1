import { Link } from '@tanstack/react-router'
import type { Run } from '#agents/contract'
import { MomentText } from '../../../../ui/moment-text.tsx'
import { Dollars } from '../../../../ui/dollars.tsx'
import { durationText } from '../../../../ui/quantity.ts'
import { StatusDot } from '../../../../ui/status-dot.tsx'
import { timeValue } from '../../../../ui/sorting.ts'
import { Cell, Row, Table } from '../../../../ui/table.tsx'
import { durationOf, runDots, runNames, titleOf } from '../run-words.ts'

interface RunTableProps {
  runs: readonly Run[]
  /** Without it, all runs are of one agent, which the page names already. */
  withAgent?: boolean
}

export function RunTable({ runs, withAgent }: RunTableProps) {
  const agent = withAgent ? ['Agent'] : []
  return (
    <Table
      label="Runs"
      columns={['Request', 'Status', ...agent, 'Asked by', 'Cost', 'Duration', 'Started']}
      rows={runs}
      sortBy={{
        Request: ({ request }) => titleOf(request),
        Status: ({ status }) => runNames[status],
        Agent: ({ agent_id }) => agent_id,
        'Asked by': ({ asked_by, started_by }) => asked_by.user?.name ?? started_by,
        Cost: ({ cost }) => (cost === null ? null : Number(cost)),
        Duration: (run) => durationOf(run, Date.now()),
        Started: ({ created_at }) => timeValue(created_at),
      }}
    >
      {(run) => (
        <Row key={run.run_id}>
          <Cell part="lead" className="md:max-w-96">
            <Link
              to="/agents/runs/$runId"
              params={{ runId: run.run_id }}
              className="line-clamp-2 font-medium [overflow-wrap:anywhere] hover:underline"
            >
              {titleOf(run.request)}
            </Link>
          </Cell>
          <Cell label="Status" className="text-sm">
            <RunState run={run} />
          </Cell>
          {withAgent && (
            <Cell label="Agent" className="text-sm text-ink-soft">
              {run.agent_id}
            </Cell>
          )}
          <Cell label="Asked by" className="text-sm [overflow-wrap:anywhere] text-ink-soft">
            {run.asked_by.user?.name ?? run.started_by}
          </Cell>
          <Cell label="Cost" className="text-sm text-ink-soft tabular-nums">
            {run.cost === null ? '–' : <Dollars amount={run.cost} />}
          </Cell>
          <Cell label="Duration" className="text-sm whitespace-nowrap text-ink-soft tabular-nums">
            {durationText(durationOf(run, Date.now()))}
          </Cell>
          <Cell label="Started" className="text-sm text-ink-soft">
            <MomentText time={run.created_at} />
          </Cell>
        </Row>
      )}
    </Table>
  )
}

/** What it waits for, or why it failed, is said beside the status. */
function RunState({ run: { status, waiting_for, workflow } }: { run: Run }) {
  return (
    <span>
      <StatusDot status={runDots[status]} blinking={status === 'running'}>
        {status === 'waiting' && waiting_for ? waitNames[waiting_for.kind] : runNames[status]}
      </StatusDot>
      {status === 'completed' && workflow?.status === 'incomplete' && (
        <span className="block pl-4 text-xs text-danger">{`${workflow.kind} incomplete`}</span>
      )}
    </span>
  )
}

const waitNames = {
  approval: 'Waits for approval',
  tool: 'Waits for permission',
  question: 'Asks a question',
} as const
