import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { clsx } from 'clsx'
import { LoaderCircle } from 'lucide-react'
import type { UsageLog } from '#usage/contract'
import { FailureNotice } from '../../ui/notice.tsx'
import { useNarrow } from '../../ui/use-narrow.ts'
import { LogCard } from './log-card.tsx'
import type { Column } from './columns.tsx'
import { LogRow, rowGrid, tracksOf } from './log-row.tsx'
import type { LogListState } from './use-log-list.ts'
import { useRowKeys } from './use-row-keys.ts'
import { keyName } from '../../ui/usage-filter-selects.tsx'

const heights = { row: 34, card: 56 }
/** How many rows before the end of the loaded ones the next page is requested. */
const ahead = 15

/** A row is highlighted once, not again when it scrolls back into view. */
const isFresh = ({ ended_at }: UsageLog) => Date.now() - Date.parse(ended_at) < 15_000

interface LogListProps {
  list: LogListState
  columns: readonly Column[]
  openRequest: string | undefined
  onOpen: (requestId: string | undefined) => void
}

/** Only visible rows are rendered, however long the list is. */
export function LogList({ list, columns, openRequest, onOpen }: LogListProps) {
  const { rows, arrived, canLoadMore, isLoadingMore, loadMoreError, loadMore } = list
  const isNarrow = useNarrow()
  const place = useRef<HTMLDivElement>(null)
  const [above, setAbove] = useState(0)
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => (isNarrow ? heights.card : heights.row),
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 12,
    scrollMargin: above,
  })
  useLayoutEffect(() => {
    const top = place.current?.getBoundingClientRect().top ?? 0
    setAbove(Math.round(top + scrollY))
  }, [isNarrow, rows.length === 0])
  useLayoutEffect(() => virtual.measure(), [isNarrow, virtual])
  useRowKeys({
    rows,
    openRequest,
    onOpen,
    showRow: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
  })

  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    // After an error the user decides when to try again.
    if (canLoadMore && !isLoadingMore && loadMoreError === null && last >= rows.length - ahead) loadMore()
  }, [canLoadMore, isLoadingMore, loadMoreError, last, rows.length, loadMore])

  const Row = isNarrow ? LogCard : LogRow
  return (
    <div role="table" aria-label="Requests" aria-rowcount={list.total}>
      <div className="rounded-xl border border-line bg-surface shadow-low">
        {!isNarrow && <Head columns={columns} />}
        <div
          ref={place}
          role="rowgroup"
          className="relative overflow-hidden rounded-b-xl"
          style={{ height: virtual.getTotalSize() - 1 }}
        >
          {items.map(({ index, key, start, size }) => {
            const row = rows[index]
            return (
              row && (
                <div
                  key={key}
                  role="presentation"
                  // Animates a row that moves down for a new one: its transform changes in no other case.
                  className="absolute inset-x-0 top-0 transition-transform duration-200"
                  style={{ height: size, transform: `translateY(${start - above}px)` }}
                >
                  <Row
                    row={row}
                    columns={columns}
                    keyName={keyName(row)}
                    isOpen={row.request_id === openRequest}
                    hasArrived={arrived.has(row.id) && isFresh(row)}
                  />
                </div>
              )
            )
          })}
        </div>
      </div>
      <Foot list={list} />
    </div>
  )
}

function Head({ columns }: { columns: readonly Column[] }) {
  return (
    <div role="rowgroup" className="sticky top-0 z-10 rounded-t-xl border-b border-line bg-surface">
      <div
        role="row"
        className={clsx(rowGrid, 'h-8 text-xs font-medium text-ink-faint')}
        style={tracksOf(columns)}
      >
        {columns.map(({ id, title, isNumber }) => (
          <span key={id} role="columnheader" className={clsx('truncate', isNumber && 'text-right')}>
            {title}
          </span>
        ))}
      </div>
    </div>
  )
}

function Foot({ list: { canLoadMore, loadMoreError, loadMore } }: { list: LogListState }) {
  if (loadMoreError !== null)
    return (
      <div className="pt-4">
        <FailureNotice error={loadMoreError} onRetry={loadMore} />
      </div>
    )
  return (
    <p className="flex h-14 items-center justify-center gap-2 text-xs text-ink-faint">
      {canLoadMore ? (
        <>
          <LoaderCircle aria-hidden className="size-4 animate-spin" /> Loading earlier requests
        </>
      ) : (
        'No earlier requests'
      )}
    </p>
  )
}
