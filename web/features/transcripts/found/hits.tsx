import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { SearchX } from 'lucide-react'
import type { TranscriptHit, TranscriptSession } from '#transcripts/contract'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'
import { counted } from '../../../ui/quantity.ts'
import { ListSkeleton } from '../../../ui/skeleton.tsx'
import { hitsQuery } from '../transcript-queries.ts'
import { assistantNames, shortPath, titleOf } from '../transcript-words.ts'
import type { TranscriptFilter } from '../transcripts-address.ts'
import { markedPieces } from './marked-pieces.ts'

interface HitsProps {
  groupId: string
  q: string
  filter: TranscriptFilter
  onClear: () => void
}

/** What the search found, by session. A hit opens its message in place. */
export function Hits({ groupId, q, filter, onClear }: HitsProps) {
  const query = useInfiniteQuery(hitsQuery(groupId, q, filter))
  if (query.error) return <FailureNotice error={query.error} onRetry={() => query.refetch()} />
  if (!query.data) return <ListSkeleton rows={5} />
  const hits = query.data.pages.flatMap(({ data }) => data)
  const groups = hitGroups(hits)
  if (hits.length === 0)
    return (
      <EmptyState
        icon={SearchX}
        title="No matching messages"
        action={<Button onClick={onClear}>Clear search</Button>}
      >
        No message, title or summary has these words. Use fewer words, or remove a filter.
      </EmptyState>
    )
  return (
    <div
      aria-busy={query.isPlaceholderData}
      className={clsx('space-y-4 transition-opacity', query.isPlaceholderData && 'opacity-60')}
    >
      <p role="status" className="text-sm text-ink-faint">
        {query.hasNextPage ? `First ${counted(hits.length, 'hit')}` : counted(hits.length, 'hit')} in{' '}
        {counted(groups.length, 'session')}
      </p>
      {groups.map((group) => (
        <SessionHits key={group.session.id} group={group} q={q} />
      ))}
      {query.hasNextPage && (
        <div className="flex justify-center">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </div>
  )
}

function SessionHits({ group: { session, hits }, q }: { group: HitGroup; q: string }) {
  return (
    <section
      aria-label={titleOf(session)}
      className="overflow-hidden rounded-xl border border-line bg-surface shadow-low"
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-sunken px-4 py-2">
        <h2 className="min-w-0 flex-1 basis-60 truncate font-medium">
          <Link to="/transcripts/$id" params={{ id: session.id }} search={{ q }} className="hover:underline">
            {titleOf(session)}
          </Link>
        </h2>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-faint">
          <Badge>{assistantNames[session.assistant]}</Badge>
          {session.project !== null && <span title={session.project}>{shortPath(session.project)}</span>}
          <span>{session.machine}</span>
          {session.ended_at !== null && <MomentText time={session.ended_at} />}
        </span>
      </header>
      <ul className="divide-y divide-line">
        {hits.map((hit, index) => (
          <Hit key={hit.message_id ?? index} hit={hit} q={q} />
        ))}
      </ul>
    </section>
  )
}

function Hit({ hit, q }: { hit: TranscriptHit; q: string }) {
  const { session, message_id, highlight, created_at } = hit
  return (
    <li className="relative px-4 py-2.5 hover:bg-hover/45">
      <p className="mb-0.5 flex items-center gap-3 text-xs text-ink-faint">
        <span className="flex-1 truncate font-medium">{whereOf(hit)}</span>
        {created_at !== null && <MomentText time={created_at} />}
      </p>
      <Link
        to="/transcripts/$id"
        params={{ id: session.id }}
        search={{ ...(message_id !== null && { message: message_id }), q }}
        className="line-clamp-3 text-sm [overflow-wrap:anywhere] text-ink-soft before:absolute before:inset-0"
      >
        {markedPieces(highlight).map((piece, index) =>
          piece.isMarked ? (
            <mark key={index} className="rounded-xs bg-primary/40 text-ink">
              {piece.text}
            </mark>
          ) : (
            piece.text
          ),
        )}
      </Link>
    </li>
  )
}

const roleNames = { user: 'Prompt', assistant: 'Assistant', tool: 'Tool', system: 'System' }

function whereOf({ message_id, role, kind, tool_name }: TranscriptHit): string {
  if (message_id === null || role === null) return 'Title or summary'
  if (kind === 'thinking') return 'Thinking'
  if (kind === 'summary') return 'Compaction'
  if (kind === 'tool_call') return `${tool_name ?? 'Tool'}: call`
  if (kind === 'tool_result') return `${tool_name ?? 'Tool'}: result`
  return roleNames[role]
}

interface HitGroup {
  session: TranscriptSession
  hits: TranscriptHit[]
}

/** Hits of one session together, in the order of each session's best hit. */
function hitGroups(hits: readonly TranscriptHit[]): HitGroup[] {
  const groups = new Map<string, HitGroup>()
  for (const hit of hits) {
    const group = groups.get(hit.session.id)
    if (group) group.hits.push(hit)
    else groups.set(hit.session.id, { session: hit.session, hits: [hit] })
  }
  return [...groups.values()]
}
