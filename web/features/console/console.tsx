import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Keyboard, Send, KeyRound, SquareTerminal } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { Button, IconButton, buttonClass } from '../../ui/button.tsx'
import { showKeys, usePageKeys } from '../../ui/page-keys.ts'
import { Page } from '../../ui/page.tsx'
import { hasStart } from '../../ui/period.ts'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import type { KeyGroup } from '../../ui/key-sheet.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { facetsQuery, hasEventsQuery, statsQuery } from './console-queries.ts'
import { EventPanel } from './event-panel.tsx'
import { FilterArea } from './filter-area.tsx'
import { HistogramCard } from './histogram-card.tsx'
import { ListArea } from './list-area.tsx'
import { SendEventsDialog, SendEvents } from './send-events.tsx'
import { useConsole } from './use-console.ts'
import { useEventKeys } from './use-event-keys.ts'
import { useListValue } from './use-event-list.ts'
import { ViewsMenu } from './views-menu.tsx'

/** The keyboard shortcuts of the page. */
const consoleKeys: readonly KeyGroup[] = [
  {
    title: 'Move',
    keys: [
      ['j', 'k', 'Next or previous event; pauses the list'],
      ['Enter', 'Open the event'],
      ['Esc', 'Close the event'],
      ['G', 'Jump to the newest events and resume'],
    ],
  },
  {
    title: 'Live',
    keys: [
      ['p', 'Pause or resume'],
      ['f', 'Follow: newest events at the top'],
    ],
  },
  {
    title: 'Filter',
    keys: [
      ['/', 'Search'],
      ['1', 'Only critical; 2 error and above, 3 warning, 4 info, 5 debug'],
      ['0', 'All severities'],
      ['i', 'Show only the service of the event'],
      ['x', 'Hide the service of the event'],
    ],
  },
  {
    title: 'Event',
    keys: [
      ['c', 'Copy link'],
      ['v', 'View in context'],
    ],
  },
]

interface ConsoleProps {
  groupId: string
  /** The page of one source. */
  source: string | undefined
}

export function Console({ groupId, source }: ConsoleProps) {
  const context = useConsole(groupId, source)
  const { at, list, isNarrowed } = context
  const [isSending, setSending] = useState(false)
  useEventKeys(context, showKeys)
  usePageKeys(consoleKeys)
  const isOpen = useListValue(list, ({ live }) => live === 'open')
  const isEmpty = useListValue(list, ({ phase, rows }) => phase === 'ready' && rows.length === 0)
  const hasHistogram = at.around === undefined && hasStart(at.period)
  const stats = useQuery({ ...statsQuery(groupId, at.filter, at.period, isOpen), enabled: hasHistogram })
  const facets = useQuery(facetsQuery(groupId, at.period))
  const maybeFirst = isEmpty && !isNarrowed && at.around === undefined
  const hasEvents = useQuery({ ...hasEventsQuery(groupId, source), enabled: maybeFirst })
  const isFirst = maybeFirst && hasEvents.data === false
  return (
    <Page
      wide
      title={source === undefined ? 'Console' : `Console: ${source}`}
      description="Every event of your services, the gateway and Signalbox itself, as it happens."
      actions={
        <>
          <IconButton label="Keyboard shortcuts (?)" icon={Keyboard} className="size-9" onClick={showKeys} />
          <ViewsMenu groupId={groupId} query={at.query} onOpen={at.openQuery} />
          {!isFirst && (
            <Button icon={Send} onClick={() => setSending(true)}>
              Send events
            </Button>
          )}
        </>
      }
    >
      {isFirst ? (
        <FirstEvent groupId={groupId} source={source} />
      ) : (
        <>
          <FilterArea context={context} facets={facets.data} />
          {hasHistogram && (
            <HistogramCard
              data={stats.data}
              updatedAt={stats.dataUpdatedAt}
              hasFailed={stats.isError}
              period={at.period}
              hasMetadata={at.filter.metadata !== undefined}
              onZoom={at.setPeriod}
            />
          )}
          {maybeFirst && hasEvents.isPending ? <ListSkeleton rows={8} /> : <ListArea context={context} />}
        </>
      )}
      {at.event !== undefined && <EventPanel context={context} id={at.event} />}
      <SendEventsDialog groupId={groupId} open={isSending} onClose={() => setSending(false)} />
    </Page>
  )
}

/** Before the first event: how to send one, while the page waits for it. */
function FirstEvent({ groupId, source }: { groupId: string; source: string | undefined }) {
  return (
    <div className="space-y-5">
      <EmptyState
        icon={SquareTerminal}
        title={source === undefined ? 'No events yet' : `No events from ${source} yet`}
        action={
          <>
            <Link to="/keys" search={{ new: true }} className={buttonClass('primary')}>
              <KeyRound aria-hidden className="size-4" /> Create key
            </Link>
            <Link to="/docs" className={buttonClass()}>
              Read the API reference
            </Link>
          </>
        }
      >
        Requests through the gateway and changes of keys and settings appear here automatically. Send the
        events of your own services with an API key that has the scope “events”.
      </EmptyState>
      <SendEvents groupId={groupId} />
      <p className="flex justify-center text-sm text-ink-soft">
        <StatusDot status="warning" blinking>
          Waiting for the first event. It appears here automatically.
        </StatusDot>
      </p>
    </div>
  )
}
