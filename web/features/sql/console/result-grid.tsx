import { useRef, useState } from 'react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { clsx } from 'clsx'
import type { Executed } from '#sql/contract'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { countText, durationText } from '../../../ui/quantity.ts'

type Result = Pick<Executed, 'columns' | 'rows' | 'row_count' | 'truncated' | 'rows_affected' | 'duration_ms'>

/** A result as a grid. Only the visible rows are drawn; a cell opens when it is clicked. */
export function ResultGrid({ result }: { result: Result }) {
  const rows = result.rows as Record<string, unknown>[]
  return (
    <section aria-label="Result" className="space-y-2">
      <div className="flex flex-wrap items-center justify-between gap-2 text-sm text-ink-soft">
        <p>{summaryOf(result)}</p>
        {rows.length > 0 && (
          <span className="flex items-center gap-1 text-xs">
            CSV <CopyButton text={asCsv(result.columns, rows)} what="the result as CSV" />
            JSON <CopyButton text={JSON.stringify(rows, null, 2)} what="the result as JSON" />
          </span>
        )}
      </div>
      {result.columns.length > 0 && <Grid columns={result.columns} rows={rows} />}
    </section>
  )
}

function summaryOf({ row_count, rows_affected, truncated, duration_ms, columns }: Result): string {
  const affected = rows_affected === null ? '' : `${countText(rows_affected)} rows changed, `
  const returned = columns.length === 0 ? '' : `${countText(row_count)} rows, `
  return `${affected}${returned}${durationText(duration_ms)}${truncated ? '. There are more: this is the beginning.' : ''}`
}

const rowHeight = 32
/** Their values are right-aligned numbers. */
const numberTypes = /^(smallint|integer|bigint|oid|real|double precision)$/

function Grid({ columns, rows }: { columns: Executed['columns']; rows: Record<string, unknown>[] }) {
  const scroller = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<string>()
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 20,
  })
  const template = { gridTemplateColumns: `repeat(${columns.length}, minmax(7rem, 1fr))` }
  const width = `max(100%, ${columns.length * 9}rem)`
  return (
    <div
      ref={scroller}
      tabIndex={0}
      role="table"
      aria-label="Rows"
      aria-rowcount={rows.length}
      className="max-h-[32rem] overflow-auto rounded-xl border border-line bg-surface text-xs shadow-low"
    >
      <div style={{ width }}>
        <div role="row" style={template} className="sticky top-0 z-10 grid border-b border-line bg-sunken">
          {columns.map(({ name, type }) => (
            <div
              key={name}
              role="columnheader"
              className={clsx('truncate px-3 py-2', numberTypes.test(type) && 'text-right')}
            >
              <span className="font-medium">{name}</span> <span className="text-ink-faint">{type}</span>
            </div>
          ))}
        </div>
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map(({ index, start }) => (
            <div
              key={index}
              ref={virtual.measureElement}
              data-index={index}
              role="row"
              style={{ ...template, position: 'absolute', top: start, width: '100%' }}
              className="grid border-b border-line"
            >
              {columns.map(({ name }) => {
                const key = `${index} ${name}`
                return (
                  <ValueCell
                    key={name}
                    value={rows[index]?.[name]}
                    isOpen={open === key}
                    onToggle={() => setOpen(open === key ? undefined : key)}
                  />
                )
              })}
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}

interface ValueCellProps {
  value: unknown
  isOpen: boolean
  onToggle: () => void
}

function ValueCell({ value, isOpen, onToggle }: ValueCellProps) {
  const text = cellText(value)
  return (
    <div role="cell" className="min-w-0">
      <button
        type="button"
        onClick={onToggle}
        title={text.length > 60 ? 'Show all of it' : undefined}
        className={clsx(
          'w-full px-3 py-1.5 text-left font-mono hover:bg-hover',
          isOpen ? 'whitespace-pre-wrap [overflow-wrap:anywhere]' : 'truncate',
          value === null && 'text-ink-faint italic',
          isNumeric(value) && 'text-right',
        )}
      >
        {isOpen ? text : text.slice(0, 300)}
      </button>
    </div>
  )
}

const isNumeric = (value: unknown): boolean => typeof value === 'number'

/** A value as a person reads it: NULL differs from an empty text. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** NULL is an empty field. Values that a spreadsheet would run as a formula are made harmless. */
function asCsv(columns: readonly { name: string }[], rows: readonly Record<string, unknown>[]): string {
  const names = columns.map(({ name }) => name)
  const lines = rows.map((row) => names.map((name) => field(row[name])).join(','))
  return [names.map(field).join(','), ...lines].join('\r\n')
}

function field(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = cellText(value)
  const harmless = typeof value === 'string' && /^[\s]*[=+\-@]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
