import { Link } from '@tanstack/react-router'
import { Bot, GitBranch } from 'lucide-react'
import type { TranscriptSession } from '#transcripts/contract'
import { Badge } from '../../../ui/badge.tsx'
import { Dollars } from '../../../ui/dollars.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { countText, durationText } from '../../../ui/quantity.ts'
import { timeValue } from '../../../ui/sorting.ts'
import { Cell, Row, Table } from '../../../ui/table.tsx'
import { assistantNames, shortPath, summaryLine, titleOf } from '../transcript-words.ts'

const columns = ['Session', 'Assistant', 'Machine', 'Messages', 'Duration', 'Cost', 'Last message']

export function SessionTable({ sessions }: { sessions: readonly TranscriptSession[] }) {
  return (
    <Table
      label="Sessions"
      columns={columns}
      rows={sessions}
      sortBy={{
        Session: titleOf,
        Assistant: ({ assistant }) => assistantNames[assistant],
        Machine: ({ machine }) => machine,
        Messages: ({ message_count }) => message_count,
        Duration: ({ duration_seconds }) => duration_seconds,
        Cost: ({ cost }) => (cost === null ? null : Number(cost)),
        'Last message': ({ ended_at, started_at }) => timeValue(ended_at ?? started_at),
      }}
    >
      {(session) => <SessionRow key={session.id} session={session} />}
    </Table>
  )
}

function SessionRow({ session }: { session: TranscriptSession }) {
  const { id, assistant, machine, message_count, duration_seconds, cost, ended_at, started_at } = session
  const last = ended_at ?? started_at
  return (
    <Row className="relative">
      <Cell part="lead" className="md:w-1/2 md:max-w-0">
        <div className="min-w-0">
          <Link
            to="/transcripts/$id"
            params={{ id }}
            className="block font-medium [overflow-wrap:anywhere] before:absolute before:inset-0 hover:underline md:truncate"
          >
            {titleOf(session)}
          </Link>
          <SummaryLine session={session} />
        </div>
      </Cell>
      <Cell label="Assistant">
        <Badge>{assistantNames[assistant]}</Badge>
      </Cell>
      <Cell label="Machine" className="max-w-36 text-ink-soft">
        <span className="block truncate" title={machine}>
          {machine}
        </span>
      </Cell>
      <Cell label="Messages">{countText(message_count)}</Cell>
      <Cell label="Duration" className="whitespace-nowrap">
        {durationText(duration_seconds * 1000)}
      </Cell>
      <Cell label="Cost">
        {cost === null ? (
          <span className="text-ink-faint" title="No request of this session went through the gateway.">
            –
          </span>
        ) : (
          <Dollars amount={cost} />
        )}
      </Cell>
      <Cell label="Last message" className="text-ink-soft">
        {last !== null && <MomentText time={last} />}
      </Cell>
    </Row>
  )
}

function SummaryLine({ session }: { session: TranscriptSession }) {
  const { project, git_branch, summary, title, subagent_count } = session
  return (
    <>
      {summary !== null && title !== null && (
        <p className="line-clamp-2 text-sm [overflow-wrap:anywhere] text-ink-soft md:line-clamp-1">
          {summaryLine(summary)}
        </p>
      )}
      <p className="mt-0.5 flex min-w-0 flex-wrap gap-x-3 text-xs text-ink-faint">
        {project !== null && (
          <span className="truncate" title={project}>
            {shortPath(project)}
          </span>
        )}
        {git_branch !== null && (
          <span className="inline-flex min-w-0 items-center gap-1">
            <GitBranch aria-hidden className="size-3 shrink-0" />
            <span className="truncate">{git_branch}</span>
          </span>
        )}
        {subagent_count > 0 && (
          <span className="inline-flex items-center gap-1" title="Subagents">
            <Bot aria-hidden className="size-3" /> {countText(subagent_count)}
          </span>
        )}
      </p>
    </>
  )
}
