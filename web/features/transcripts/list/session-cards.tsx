import { Link } from '@tanstack/react-router'
import type { TranscriptSession } from '#transcripts/contract'
import { Badge } from '../../../ui/badge.tsx'
import { shortDollars } from '../../../ui/money.ts'
import { MomentText } from '../../../ui/moment-text.tsx'
import { counted, durationText } from '../../../ui/quantity.ts'
import { assistantNames, shortPath, summaryLine, titleOf } from '../transcript-words.ts'

/** The list on a narrow screen. */
export function SessionCards({ sessions }: { sessions: readonly TranscriptSession[] }) {
  return (
    <ul
      aria-label="Sessions"
      className="divide-y divide-line rounded-xl border border-line bg-surface shadow-low"
    >
      {sessions.map((session) => (
        <SessionCard key={session.id} session={session} />
      ))}
    </ul>
  )
}

function SessionCard({ session }: { session: TranscriptSession }) {
  const { id, assistant, machine, project, git_branch, title, summary, cost } = session
  const last = session.ended_at ?? session.started_at
  const figures = [
    counted(session.message_count, 'message'),
    durationText(session.duration_seconds * 1000),
    ...(cost === null ? [] : [shortDollars(cost)]),
  ]
  return (
    <li className="relative px-4 py-3">
      <div className="flex items-baseline justify-between gap-3">
        <Link
          to="/transcripts/$id"
          params={{ id }}
          className="line-clamp-2 min-w-0 font-medium [overflow-wrap:anywhere] before:absolute before:inset-0"
        >
          {titleOf(session)}
        </Link>
        {last !== null && (
          <span className="shrink-0 text-xs text-ink-faint">
            <MomentText time={last} />
          </span>
        )}
      </div>
      {summary !== null && title !== null && (
        <p className="mt-0.5 line-clamp-2 text-sm [overflow-wrap:anywhere] text-ink-soft">
          {summaryLine(summary)}
        </p>
      )}
      <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-faint">
        <Badge>{assistantNames[assistant]}</Badge>
        {project !== null && <span className="max-w-full truncate">{shortPath(project)}</span>}
        {git_branch !== null && <span className="max-w-40 truncate">{git_branch}</span>}
        <span className="max-w-32 truncate">{machine}</span>
        {/* One piece, so that no figure is left alone on a line. */}
        <span>{figures.join(' · ')}</span>
      </p>
    </li>
  )
}
