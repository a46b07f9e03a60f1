import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Keyboard, Send } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { showKeys, usePageKeys } from '../../ui/page-keys.ts'
import { Page } from '../../ui/page.tsx'
import { hasStart } from '../../ui/period.ts'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import { consoleKeys } from './console-keys.ts'
import { facetsQuery, hasEventsQuery, statsQuery } from './console-queries.ts'
import { EventPanel } from './event-panel.tsx'
import { FilterArea } from './filter-area.tsx'
import { FirstEvent } from './first-event.tsx'
import { HistogramCard } from './histogram-card.tsx'
import { ListArea } from './list-area.tsx'
import { SendEventsDialog } from './send-events.tsx'
import { useConsole } from './use-console.ts'
import { useEventKeys } from './use-event-keys.ts'
import { useListValue } from './use-event-list.ts'
import { ViewsMenu } from './views-menu.tsx'

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
