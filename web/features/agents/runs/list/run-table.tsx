import { Link } from '@tanstack/react-router'
import type { Run } from '#agents/contract'
import { AgentLink } from '../../../../ui/agent-name.tsx'
import { Dollars } from '../../../../ui/dollars.tsx'
import { durationText } from '../../../../ui/quantity.ts'
import { StatusDot } from '../../../../ui/status-dot.tsx'
import { Table, type Column } from '../../../../ui/table.tsx'
import { durationOf, runDots, runNames, titleOf } from '../run-words.ts'

interface RunTableProps {
  runs: readonly Run[]
  /** Without it, all runs are of one agent, which the page names already. */
  withAgent?: boolean
  /** False: all runs are of one person, whom the page names already. */
  withAsker?: boolean
}

const agentColumn: Column<Run> = {
  name: 'Agent',
  value: ({ agent_id }) => agent_id,
  cell: ({ agent_id }) => <AgentLink id={agent_id} className="hover:underline" />,
  className: 'text-sm text-ink-soft',
}

const askerColumn: Column<Run> = {
  name: 'Asked by',
  value: ({ asked_by, started_by }) => asked_by.user?.name ?? started_by,
  className: 'text-sm [overflow-wrap:anywhere] text-ink-soft',
}

export function RunTable({ runs, withAgent, withAsker = true }: RunTableProps) {
  return (
    <Table
      label="Runs"
      rows={runs}
      rowKey={({ run_id }) => run_id}
      columns={[
        {
          name: 'Request',
          value: titleOf,
          cell: (run) => (
            <Link
              to="/agents/runs/$runId"
              params={{ runId: run.run_id }}
              className="line-clamp-2 font-medium [overflow-wrap:anywhere] hover:underline"
            >
              {titleOf(run)}
            </Link>
          ),
          className: 'md:max-w-96 md:min-w-52',
        },
        {
          name: 'Status',
          value: ({ status }) => runNames[status],
          cell: (run) => <RunState run={run} />,
          className: 'text-sm',
        },
        ...(withAgent ? [agentColumn] : []),
        ...(withAsker ? [askerColumn] : []),
        {
          name: 'Cost',
          value: ({ cost }) => (cost === null ? null : Number(cost)),
          cell: ({ cost }) => (cost === null ? '–' : <Dollars amount={cost} />),
          className: 'text-sm text-ink-soft tabular-nums',
        },
        {
          name: 'Duration',
          value: (run) => durationOf(run, Date.now()),
          cell: (run) => durationText(durationOf(run, Date.now())),
          className: 'text-sm whitespace-nowrap text-ink-soft tabular-nums',
        },
        { name: 'Started', time: ({ created_at }) => created_at },
      ]}
    />
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
