import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { clsx } from 'clsx'
import { toast } from 'sonner'
import type { Executed } from '#sql/contract'
import { copyText } from '../../../../ui/copy-button.tsx'
import { cellText, fullText, isLong } from './as-text.ts'
import { moved, type GridPlace } from './grid-keys.ts'

interface GridProps {
  columns: Executed['columns']
  rows: readonly Record<string, unknown>[]
  /** Shows all of a value. */
  onOpen: (place: GridPlace) => void
}

const rowHeight = 30
const numberTypes = /^(smallint|integer|bigint|oid|real|double precision|numeric.*|money)$/

/** Only the visible rows are drawn. Arrow keys move, Enter opens a value, Ctrl+C copies it. */
export function Grid({ columns, rows, onOpen }: GridProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const id = useId()
  const [active, setActive] = useState<GridPlace>()
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 20,
  })
  const template = {
    gridTemplateColumns: `3.25rem ${columns.map((each) => widthOf(each, rows)).join(' ')} 1fr`,
  }
  const idOf = ({ row, column }: GridPlace) => `${id}-${row}-${column}`
  const valueAt = ({ row, column }: GridPlace) => rows[row]?.[columns[column]?.name ?? ''] ?? null
  const activeId = active && idOf(active)
  useEffect(() => {
    if (activeId !== undefined)
      document.getElementById(activeId)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [activeId])
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moved(active, event, { rows: rows.length, columns: columns.length })
    if (next) {
      event.preventDefault()
      virtual.scrollToIndex(next.row)
      setActive(next)
    } else if (active && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault()
      onOpen(active)
    } else if (active && event.key === 'c' && (event.ctrlKey || event.metaKey) && nothingSelected()) {
      event.preventDefault()
      void copyText(fullText(valueAt(active))).then((isDone) => isDone && toast.success('Value copied'))
    }
  }
  return (
    <div
      ref={scroller}
      tabIndex={0}
      role="grid"
      aria-label="Rows"
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      aria-activedescendant={activeId}
      onKeyDown={onKeyDown}
      className="max-h-[34rem] overflow-auto rounded-xl border border-line bg-surface text-xs shadow-low"
    >
      <div className="w-max min-w-full">
        <div
          role="row"
          aria-rowindex={1}
          style={template}
          className="sticky top-0 z-10 grid border-b border-line bg-sunken"
        >
          <span aria-hidden />
          {columns.map(({ name, type }, column) => (
            <div
              key={column}
              role="columnheader"
              aria-colindex={column + 1}
              title={`${name} ${type}`}
              className={clsx('truncate px-3 py-2', numberTypes.test(type) && 'text-right')}
            >
              <span className="font-medium">{name}</span> <span className="text-ink-faint">{type}</span>
            </div>
          ))}
        </div>
        <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map(({ index: row, start }) => (
            <div
              key={row}
              role="row"
              aria-rowindex={row + 2}
              style={{ ...template, position: 'absolute', top: start, width: '100%', height: rowHeight }}
              className="grid border-b border-line hover:bg-[color-mix(in_srgb,var(--hover)_45%,transparent)]"
            >
              <span aria-hidden className="px-2 py-1.5 text-right text-ink-faint select-none">
                {row + 1}
              </span>
              {columns.map(({ type }, column) => (
                <Cell
                  key={column}
                  id={idOf({ row, column })}
                  column={column}
                  value={valueAt({ row, column })}
                  isNumber={numberTypes.test(type)}
                  isActive={active?.row === row && active.column === column}
                  onSelect={() => setActive({ row, column })}
                  onOpen={() => onOpen({ row, column })}
                />
              ))}
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}

interface CellProps {
  id: string
  column: number
  value: unknown
  isNumber: boolean
  isActive: boolean
  onSelect: () => void
  onOpen: () => void
}

/** A click opens what does not fit; otherwise it only chooses the cell. */
function Cell({ id, column, value, isNumber, isActive, onSelect, onOpen }: CellProps) {
  const opens = isLong(value)
  return (
    <div
      id={id}
      role="gridcell"
      aria-colindex={column + 1}
      aria-selected={isActive}
      title={opens ? 'Show all of it' : undefined}
      onClick={() => {
        onSelect()
        if (opens) onOpen()
      }}
      onDoubleClick={onOpen}
      className={clsx(
        'scroll-mt-9 truncate px-3 py-1.5 font-mono',
        isNumber && 'text-right',
        opens && 'cursor-pointer',
        isActive && 'bg-accent-soft outline-1 -outline-offset-1 outline-focus outline-solid',
        value === null && 'text-ink-faint italic',
      )}
    >
      {cellText(value).slice(0, 200)}
    </div>
  )
}

const nothingSelected = (): boolean => (getSelection()?.toString() ?? '') === ''

/** By the head and the first rows, between 5 and 22 rem: about 0.46 rem for a letter. */
function widthOf({ name, type }: { name: string; type: string }, rows: GridProps['rows']): string {
  const longest = Math.max(
    name.length + type.length + 1,
    ...rows.slice(0, 100).map((row) => Math.min(60, cellText(row[name]).length)),
  )
  return `${Math.min(22, Math.max(5, longest * 0.46 + 1.75)).toFixed(2)}rem`
}
