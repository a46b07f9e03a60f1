import { Link } from '@tanstack/react-router'
import { Bot, GitBranch } from 'lucide-react'
import type { TranscriptSession } from '#transcripts/contract'
import { Badge } from '../../../ui/badge.tsx'
import { Dollars } from '../../../ui/dollars.tsx'
import { countText, durationText } from '../../../ui/quantity.ts'
import { Table, type Column } from '../../../ui/table.tsx'
import { assistantNames, shortPath, summaryLine, titleOf } from '../transcript-words.ts'

const columns: Column<TranscriptSession>[] = [
  {
    name: 'Session',
    value: titleOf,
    cell: (session) => (
      <div className="min-w-0">
        <Link
          to="/transcripts/$id"
          params={{ id: session.id }}
          className="block font-medium [overflow-wrap:anywhere] before:absolute before:inset-0 hover:underline md:truncate"
        >
          {titleOf(session)}
        </Link>
        <SummaryLine session={session} />
      </div>
    ),
    className: 'md:w-1/2 md:max-w-0',
  },
  {
    name: 'Assistant',
    value: ({ assistant }) => assistantNames[assistant],
    cell: ({ assistant }) => <Badge>{assistantNames[assistant]}</Badge>,
  },
  {
    name: 'Machine',
    value: ({ machine }) => machine,
    cell: ({ machine }) => (
      <span className="block truncate" title={machine}>
        {machine}
      </span>
    ),
    className: 'max-w-44 text-ink-soft',
  },
  {
    name: 'Messages',
    value: ({ message_count }) => message_count,
    cell: ({ message_count }) => countText(message_count),
  },
  {
    name: 'Duration',
    value: ({ duration_seconds }) => duration_seconds,
    cell: ({ duration_seconds }) => durationText(duration_seconds * 1000),
    className: 'whitespace-nowrap',
  },
  {
    name: 'Cost',
    value: ({ cost }) => (cost === null ? null : Number(cost)),
    cell: ({ cost }) =>
      cost === null ? (
        <span className="text-ink-faint" title="No request of this session went through the gateway.">
          –
        </span>
      ) : (
        <Dollars amount={cost} />
      ),
  },
  {
    name: 'Last message',
    time: ({ ended_at, started_at }) => ended_at ?? started_at,
    none: null,
    className: 'text-ink-soft',
  },
]

export function SessionTable({ sessions }: { sessions: readonly TranscriptSession[] }) {
  return (
    <Table
      label="Sessions"
      rows={sessions}
      rowKey={({ id }) => id}
      rowProps={() => ({ className: 'relative' })}
      columns={columns}
    />
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
