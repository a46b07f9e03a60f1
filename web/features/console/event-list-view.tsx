import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { clsx } from 'clsx'
import { LoaderCircle } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { useNarrow } from '../../ui/use-narrow.ts'
import type { EventListState } from './event-list.ts'
import { EventCard, EventRow, rowGrid, rowHeights } from './event-row.tsx'
import { GapLine } from './gap-row.tsx'
import type { Row } from './rows.ts'
import type { ConsoleContext } from './use-console.ts'
import { useListValue } from './use-event-list.ts'

/** How many rows before the end of the loaded ones the next page is requested. */
const ahead = 30

/** Only visible rows are rendered, in normal flow: a new row moves the others without rendering them. */
export function EventListView({ context }: { context: ConsoleContext }) {
  const { list, at, words, pause, showRow, onOpen, onFilter } = context
  const state = useListValue(list, (whole) => whole)
  const { rows, canLoadOlder, loading, failed } = state
  const isNarrow = useNarrow()
  const height = isNarrow ? rowHeights.card : rowHeights.row
  const place = useRef<HTMLDivElement>(null)
  const [above, setAbove] = useState(0)
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => height,
    overscan: 10,
    scrollMargin: above,
  })
  useLayoutEffect(() => {
    // What is above the list changes with filters; the same number again changes nothing.
    setAbove(Math.round((place.current?.getBoundingClientRect().top ?? 0) + scrollY))
  })
  useLayoutEffect(() => virtual.measure(), [isNarrow, virtual])
  useScrolledAway(above + height, pause.setScrolled)
  useEffect(() => {
    showRow.current = (index) => virtual.scrollToIndex(index, { align: 'auto' })
  }, [showRow, virtual])
  useCenter(rows, at.around, (index) => virtual.scrollToIndex(index, { align: 'center' }))

  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    // After an error the user decides when to try again.
    if (canLoadOlder && loading === null && failed === null && last >= rows.length - ahead)
      void list.loadOlder()
  }, [canLoadOlder, loading, failed, last, rows.length, list])

  // At a high rate every row is new, and highlighting all of them shows nothing.
  const areNoticeable = items.filter(({ index }) => isFresh(rows[index])).length <= 8
  const Line = isNarrow ? EventCard : EventRow
  return (
    <div>
      {state.canLoadNewer && (
        <div className="flex justify-center pb-2">
          <Button size="small" busy={loading === 'newer'} onClick={() => void list.loadNewer()}>
            Load newer events
          </Button>
        </div>
      )}
      <div
        role="table"
        aria-label="Events"
        aria-rowcount={rows.length}
        className="overflow-clip rounded-xl border border-line bg-surface shadow-low"
      >
        {!isNarrow && <Head />}
        <div ref={place} role="rowgroup" style={{ height: rows.length * height - 1 }}>
          <div style={{ transform: `translateY(${(items[0]?.index ?? 0) * height}px)` }}>
            {items.map(({ index }) => {
              const row = rows[index]
              return (
                row && (
                  <div key={row.key} role="presentation" style={{ height, contain: 'strict' }}>
                    {row.kind === 'gap' ? (
                      <GapLine
                        row={row}
                        isLoading={loading === row.key}
                        hasFailed={failed?.what === row.key}
                        onLoad={(key) => void list.loadGap(key)}
                      />
                    ) : (
                      <Line
                        event={row.event}
                        words={words}
                        isOpen={row.key === at.event || row.key === at.around}
                        isFresh={areNoticeable && isFresh(row)}
                        onOpen={onOpen}
                        onFilter={onFilter}
                      />
                    )}
                  </div>
                )
              )
            })}
          </div>
        </div>
      </div>
      <Foot context={context} state={state} />
    </div>
  )
}

/** Reports when the page is scrolled past this position, and when it is back. */
function useScrolledAway(position: number, onChange: (isScrolled: boolean) => void): void {
  useEffect(() => {
    // The toolbar covers the upper part of the window.
    const update = () => onChange(scrollY + 120 > position)
    update()
    addEventListener('scroll', update, { passive: true })
    return () => removeEventListener('scroll', update)
  }, [position, onChange])
  // Without a list nothing is scrolled.
  useEffect(() => () => onChange(false), [onChange])
}

/** Brings the event into view once its row is there. */
function useCenter(rows: readonly Row[], center: string | undefined, show: (index: number) => void): void {
  const at = center === undefined ? -1 : rows.findIndex(({ key }) => key === center)
  useEffect(() => {
    if (at >= 0) show(at)
    // Once per event: scrolling and newer pages must not bring it back.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [center, at >= 0])
}

/** A row is highlighted when it arrives, not again when it scrolls back into view. */
const isFresh = (row: Row | undefined): boolean =>
  row?.kind === 'event' && row.hasArrived && Date.now() - Date.parse(row.event.created_at) < 3000

const columns = ['Time', 'Severity', 'Type', 'Service', 'Event']

function Head() {
  return (
    <div role="rowgroup" className="border-b border-line">
      <div role="row" className={clsx(rowGrid, 'h-8 text-xs font-medium text-ink-faint')}>
        {columns.map((column) => (
          <span key={column} role="columnheader">
            {column}
          </span>
        ))}
      </div>
    </div>
  )
}

function Foot({
  context: { at, list },
  state: { canLoadOlder, failed },
}: {
  context: ConsoleContext
  state: EventListState
}) {
  if (failed?.what === 'older')
    return (
      <div className="pt-4">
        <FailureNotice error={failed.error} onRetry={list.loadOlder} />
      </div>
    )
  // What is around an event is shown without the time range.
  const isAllTime = at.around !== undefined || Object.keys(at.period).length === 0
  return (
    <p className="flex h-14 items-center justify-center gap-2 text-xs text-ink-faint">
      {canLoadOlder ? (
        <>
          <LoaderCircle aria-hidden className="size-4 animate-spin" /> Loading earlier events
        </>
      ) : isAllTime ? (
        'No earlier events'
      ) : (
        <>
          No earlier events in this time range
          <Button size="small" onClick={() => at.setPeriod({})}>
            Show all time
          </Button>
        </>
      )}
    </p>
  )
}
