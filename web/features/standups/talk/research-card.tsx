import { BookSearch } from 'lucide-react'
import type { StandupEvent } from '#standups/contract'
import { Badge } from '../../../ui/badge.tsx'
import { counted } from '../../../ui/quantity.ts'
import { CitedLink } from '../../initiatives/index.ts'

/** What a search found, each with a link to where it was found. */
export function ResearchCard({ event }: { event: Extract<StandupEvent, { type: 'research' }> }) {
  const { query, results, requested_by, note } = event
  return (
    <section
      aria-label={`Research: ${query}`}
      className="overflow-hidden rounded-xl border border-line bg-surface shadow-low"
    >
      <header className="flex items-start gap-2.5 border-b border-line bg-sunken px-4 py-2.5">
        <BookSearch aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-faint" />
        <h3 className="min-w-0 flex-1 text-sm font-medium [overflow-wrap:anywhere]">{query}</h3>
        <span className="text-xs whitespace-nowrap text-ink-faint">
          {requested_by === 'human' ? 'requested' : 'by the agent'}, {counted(results.length, 'result')}
        </span>
      </header>
      {results.length === 0 && <p className="px-4 py-3 text-sm text-ink-faint">Nothing was found.</p>}
      <ol className="divide-y divide-line">
        {results.map(({ title, excerpt, source, url }, index) => (
          <li key={index} className="px-4 py-2.5 text-sm">
            <p className="flex items-start gap-2">
              <span className="min-w-0 flex-1 font-medium">
                <CitedLink title={title} url={url} />
              </span>
              <Badge>{source}</Badge>
            </p>
            <p className="mt-0.5 line-clamp-3 [overflow-wrap:anywhere] text-ink-soft">{excerpt}</p>
          </li>
        ))}
      </ol>
      {note !== null && <p className="border-t border-line px-4 py-2 text-xs text-ink-faint">{note}</p>}
    </section>
  )
}
