import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link2, ListTree } from 'lucide-react'
import type { ConsoleEvent } from '#console/contract'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { wholeTime } from '../../ui/moment.ts'
import { FailureNotice } from '../../ui/notice.tsx'
import { PanelSteps } from '../../ui/panel-steps.tsx'
import { SidePanel } from '../../ui/side-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { eventQuery } from './console-queries.ts'
import { copyPermalink } from './copy-permalink.ts'
import { toggleMetadata } from './console-filter.ts'
import { EventFacts, MetadataFacts, type MetadataActions } from './event-facts.tsx'
import { severityTones } from './event-words.ts'
import { MarkedText } from './marked-text.tsx'
import { markedWords } from './pieces.ts'
import { entriesOf, maxEntries } from './metadata-entries.ts'
import { eventsOf } from './rows.ts'
import type { ConsoleContext } from './use-console.ts'
import { focusRow } from './use-console-keys.ts'
import { useListValue } from './use-event-list.ts'

/** The full record of one event, beside the list. */
export function EventPanel({ context, id }: { context: ConsoleContext; id: string }) {
  const { groupId, at: place, list, onOpen, onFilter } = context
  const rows = useListValue(list, (state) => state.rows)
  const events = useMemo(() => eventsOf(rows), [rows])
  const onClose = () => {
    place.openEvent(undefined)
    focusRow(id)
  }
  const onSearch = (text: string) => place.setFilter({ ...place.filter, q: `"${text.replaceAll('"', ' ')}"` })
  const onMetadata = (term: string, isHidden: boolean) =>
    place.setFilter(toggleMetadata(place.filter, term, isHidden))
  const ids = useMemo(() => events.map((each) => each.id), [events])
  const listed = events[ids.indexOf(id)]
  const loaded = useQuery({ ...eventQuery(groupId, id), enabled: listed === undefined })
  const event = listed ?? loaded.data
  const words = event ? markedWords(event, context.words) : []
  return (
    <SidePanel open onClose={onClose} title={`Event ${id}`}>
      <header data-event-panel className="border-b border-line px-5 pt-4 pb-3.5">
        <div className="flex items-start gap-2">
          <h2 className="max-h-32 min-w-0 flex-1 overflow-y-auto pt-1 text-lg font-semibold tracking-tight [overflow-wrap:anywhere]">
            {event ? <MarkedText text={event.title} words={words} /> : 'Event'}
          </h2>
          <PanelSteps noun="event" ids={ids} id={id} onOpen={onOpen} onClose={onClose} />
        </div>
        {event && (
          <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-soft">
            <Badge tone={severityTones[event.severity]}>{event.severity}</Badge>
            <time dateTime={event.created_at} title={`${event.created_at} (UTC)`}>
              {wholeTime(event.created_at)}
            </time>
          </div>
        )}
        <div className="mt-3 flex flex-wrap gap-2">
          <Button
            size="small"
            icon={ListTree}
            onClick={() => place.showAround(id)}
            title="All events around this one (v)"
          >
            View in context
          </Button>
          <Button size="small" icon={Link2} onClick={() => copyPermalink(id)} title="Copy link (c)">
            Copy link
          </Button>
        </div>
      </header>
      <div className="min-h-0 flex-1 space-y-6 overflow-y-auto px-5 py-5" tabIndex={0}>
        {loaded.error && !event && <FailureNotice error={loaded.error} onRetry={() => loaded.refetch()} />}
        {!event && !loaded.error && <PanelSkeleton />}
        {event && (
          <EventDetail event={event} words={words} onFilter={onFilter} {...{ onSearch, onMetadata }} />
        )}
      </div>
    </SidePanel>
  )
}

interface EventDetailProps extends MetadataActions {
  event: ConsoleEvent
  words: readonly string[]
  onFilter: ConsoleContext['onFilter']
}

function EventDetail({ event, words, onFilter, onSearch, onMetadata }: EventDetailProps) {
  const entries = entriesOf(event.metadata)
  return (
    <>
      {event.message !== '' && (
        <section aria-label="Message" className="relative">
          <p
            tabIndex={0}
            className="max-h-96 overflow-y-auto rounded-xl border border-line bg-sunken px-4 py-3 pr-11 font-mono text-xs leading-relaxed [overflow-wrap:anywhere] whitespace-pre-wrap"
          >
            <MarkedText text={event.message} words={words} />
          </p>
          <CopyButton text={event.message} what="message" className="absolute top-1.5 right-1.5 size-7" />
        </section>
      )}
      <section aria-label="Fields">
        <EventFacts event={event} onFilter={onFilter} />
      </section>
      {entries.length > 0 && (
        <section aria-label="Metadata">
          <h3 className="mb-2 text-sm font-semibold">Metadata</h3>
          {entries.length > maxEntries ? (
            <CodeBlock language="json" what="Metadata" source={JSON.stringify(event.metadata, null, 2)} />
          ) : (
            <MetadataFacts entries={entries} onSearch={onSearch} onMetadata={onMetadata} />
          )}
        </section>
      )}
      <CopyButton labelled text={JSON.stringify(event, null, 2)} what="as JSON" />
    </>
  )
}

function PanelSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="space-y-4">
      <Skeleton className="h-24" />
      <Skeleton className="h-56" />
    </div>
  )
}
