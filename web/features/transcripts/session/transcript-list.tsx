import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { LoaderCircle, ArrowDown } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { FoldContext, type FoldState } from '../../../ui/fold-state.ts'
import { counted } from '../../../ui/quantity.ts'
import { RowView } from '../message/row-view.tsx'
import type { MessageList, MessageListState } from './message-list.ts'
import { indexOfMessage, type Row } from './rows.ts'
import { useMarkedWords } from './use-marked-words.ts'

/** How many rows before the end of the loaded ones the next page is requested. */
const ahead = 12
/** Within this distance of the end the reader follows it, in pixels. */
const nearEnd = 60

/** What the page asks of the list. */
export interface ListHandle {
  /** Brings a row into view. */
  show: (index: number, align?: 'start' | 'center') => void
  showEnd: () => void
  /** The first row that is in view. */
  firstVisible: () => number
}

interface TranscriptListProps {
  list: MessageList
  state: MessageListState
  rows: readonly Row[]
  target: string | undefined
  words: readonly string[]
  handle: React.RefObject<ListHandle | null>
  onNewest: () => void
}

/** From the newest message upwards. Only visible rows are in the document, and what is read never moves. */
export function TranscriptList(props: TranscriptListProps) {
  const { list, state, rows, target, words, handle, onNewest } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [isFollowing, setFollowing] = useState(target === undefined)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimateHeight(rows[index]),
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    overscan: 6,
    paddingStart: 48,
    paddingEnd: 32,
    anchorTo: 'end',
    // While the reader unfolds a row near the end, the end must move and not the row.
    scrollEndThreshold: isFollowing ? nearEnd : -1,
    followOnAppend: isFollowing,
    onChange: (instance) => setFollowing(state.newer === null && instance.getDistanceFromEnd() <= nearEnd),
  })
  useEffect(() => {
    handle.current = {
      show: (index, align = 'start') => {
        setFollowing(false)
        virtual.scrollToIndex(index, { align })
      },
      showEnd: () => virtual.scrollToEnd(),
      firstVisible: () => virtual.getVirtualItemForOffset(virtual.scrollOffset ?? 0)?.index ?? 0,
    }
  }, [handle, virtual])
  const isPlaced = usePlace(rows, target, virtual)
  const items = virtual.getVirtualItems()
  useMorePages(list, state, isPlaced && items.length > 0, {
    isNearStart: (items[0]?.index ?? 0) < ahead,
    isNearEnd: (items.at(-1)?.index ?? 0) >= rows.length - ahead,
  })
  useMarkedWords(scroller, words)
  const folds = useMemo<FoldState>(() => ({ open: new Map(), beforeToggle: () => setFollowing(false) }), [])
  return (
    <div className="relative min-w-0 flex-1">
      <div
        ref={scroller}
        role="feed"
        aria-label="Messages"
        aria-busy={state.loading !== null}
        tabIndex={0}
        className="h-full overflow-y-auto overscroll-contain -outline-offset-2 [overflow-anchor:none]"
      >
        <div className="relative mx-auto max-w-4xl px-4 sm:px-8" style={{ height: virtual.getTotalSize() }}>
          <Top list={list} state={state} />
          <FoldContext value={folds}>
            {items.map(({ index, key, start }) => {
              const row = rows[index]
              return (
                row && (
                  <div
                    key={key}
                    ref={virtual.measureElement}
                    data-index={index}
                    className="absolute inset-x-4 top-0 pb-3 sm:inset-x-8"
                    style={{ transform: `translateY(${start}px)` }}
                  >
                    <RowView row={row} />
                  </div>
                )
              )
            })}
          </FoldContext>
        </div>
      </div>
      <NewMessages state={state} isFollowing={isFollowing} onShow={onNewest} />
    </div>
  )
}

type Virtual = ReturnType<typeof useVirtualizer<HTMLDivElement, Element>>

/** Once the rows are there: to the message that the address names, or else to the end. */
function usePlace(rows: readonly Row[], target: string | undefined, virtual: Virtual): boolean {
  const [placed, setPlaced] = useState<string | null>(null)
  const place = target ?? 'end'
  const at = target === undefined ? -1 : indexOfMessage(rows, target)
  useLayoutEffect(() => {
    if (rows.length === 0 || placed === place) return undefined
    if (at >= 0) virtual.scrollToIndex(at, { align: 'center' })
    else if (placed === null) virtual.scrollToEnd()
    // Rows above are loaded when the position is reached: before that the first rows are the visible ones.
    const frame = requestAnimationFrame(() => setPlaced(place))
    return () => cancelAnimationFrame(frame)
    // Scrolling and further pages must not bring it back.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [place, at >= 0, rows.length === 0])
  return placed !== null
}

function useMorePages(
  list: MessageList,
  { older, newer, loading, failed }: MessageListState,
  isReady: boolean,
  { isNearStart, isNearEnd }: { isNearStart: boolean; isNearEnd: boolean },
): void {
  useEffect(() => {
    // After an error the reader decides when to try again.
    if (!isReady || loading !== null || failed !== null) return
    if (isNearStart && older !== null) void list.loadOlder()
    else if (isNearEnd && newer !== null) void list.loadNewer()
  }, [isReady, loading, failed, isNearStart, isNearEnd, older, newer, list])
}

function Top({ list, state }: { list: MessageList; state: MessageListState }) {
  const { older, newer, failed } = state
  return (
    <p className="flex h-12 items-center justify-center gap-2 text-xs text-ink-faint">
      {failed ? (
        <Button
          size="small"
          onClick={() => void (failed.side === 'older' ? list.loadOlder() : list.loadNewer())}
        >
          Loading {failed.side} messages failed. Try again
        </Button>
      ) : older !== null ? (
        <>
          <LoaderCircle aria-hidden className="size-4 animate-spin" /> Loading earlier messages
        </>
      ) : (
        (newer === null || state.messages.length > 0) && 'Beginning of the session'
      )}
    </p>
  )
}

/** A first guess; the real height is measured when the row is shown. */
function estimateHeight(row: Row | undefined): number {
  if (row === undefined || row.kind === 'day' || row.kind === 'fork') return gap + 26
  if (row.kind === 'tool') return gap + (row.results.some(({ is_error }) => is_error) ? 160 : 34)
  const { kind, origin, role, content } = row.message
  if (kind === 'image') return gap + 238
  if (kind !== 'text' || origin === 'injected' || role === 'system') return gap + 24
  const lines = Math.ceil(Math.min(6_000, (content ?? '').length) / 90)
  return gap + 44 + lines * 22
}

/** Between two rows. */
const gap = 12

interface NewMessagesProps {
  state: MessageListState
  isFollowing: boolean
  onShow: () => void
}

/** The way to the end: with the number of messages that were written since the reader left it. */
function NewMessages({ state, isFollowing, onShow }: NewMessagesProps) {
  const { messages, newer } = state
  const last = messages.at(-1)?.id
  const [seen, setSeen] = useState<string | undefined>()
  useEffect(() => {
    if (isFollowing || seen === undefined) setSeen(last)
  }, [isFollowing, last, seen])
  if (isFollowing) return null
  const place = messages.findLastIndex(({ id }) => id === seen)
  const count = newer === null && place >= 0 ? messages.length - 1 - place : 0
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-4 flex justify-center">
      <Button
        look={count > 0 ? 'primary' : 'plain'}
        size="small"
        icon={ArrowDown}
        className="pointer-events-auto animate-rise rounded-full! shadow-high"
        onClick={onShow}
      >
        {count > 0 ? counted(count, 'new message') : 'Newest messages'}
      </Button>
    </div>
  )
}
