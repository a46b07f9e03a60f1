import { useRef, type ComponentProps, type KeyboardEvent, type ReactNode } from 'react'
import { clsx } from 'clsx'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { downloadCsv } from './csv.ts'
import { MomentText } from './moment-text.tsx'
import { timeValue, useSorted, type Sorting, type SortValue, type SortValues } from './sorting.ts'
import { TableOptions } from './table-options.tsx'
import { useTableView } from './table-view.ts'

export interface Column<Item> {
  name: string
  /** Beside the value on narrow screens, where the name is too long. */
  short?: string
  /** What the rows are sorted by when the head is clicked; without it they are not. */
  value?: (item: Item) => SortValue
  /** A time, in place of a value: the cell shows how long ago it was. */
  time?: (item: Item) => string | null
  /** In place of a value or a time that is absent. */
  none?: ReactNode
  /** What the cell shows, where it is not only the value or the time. */
  cell?: (item: Item) => ReactNode
  className?: string
}

interface TableProps<Item> {
  label: string
  /** The first one names the row. */
  columns: readonly Column<Item>[]
  rows: readonly Item[]
  rowKey: (item: Item, index: number) => string | number
  rowProps?: (item: Item) => ComponentProps<'tr'>
  /** The key of the row that a link is about: it stands out and is scrolled to. */
  marked?: string | number | undefined
}

/** With fewer there is nothing to choose. */
const fewColumns = 3

/** The roles are explicit because the cards on narrow screens are not tables for the browser. */
export function Table<Item>({ label, columns, rows, rowKey, rowProps, marked }: TableProps<Item>) {
  const table = useRef<HTMLTableElement>(null)
  const { sorted, sorting } = useSorted(rows, valuesOf(columns))
  const view = useTableView(label)
  const mayHide = columns.slice(1).filter(({ name }) => name !== 'Actions')
  const shown = columns.filter((column) => !mayHide.includes(column) || !view.hidden.includes(column.name))
  return (
    <div className="relative overflow-hidden rounded-xl border border-line bg-surface shadow-low">
      <table
        ref={table}
        role="table"
        aria-label={label}
        className={clsx('data-table', view.isCompact && 'is-compact')}
      >
        <thead role="rowgroup">
          <tr role="row">
            {shown.map(({ name }) => (
              <Head key={name} column={name} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" onKeyDown={stepRow}>
          {sorted.map((item, index) => (
            <tr
              role="row"
              key={rowKey(item, index)}
              {...(marked !== undefined && marked === rowKey(item, index) && markedRow)}
              {...rowProps?.(item)}
            >
              {shown.map((column) => (
                <Cell key={column.name} column={column} isLead={column === columns[0]} item={item} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {columns.length > fewColumns && (
        <TableOptions
          label={label}
          columns={mayHide.map(({ name }) => name)}
          view={view}
          onDownload={() => downloadCsv(label, linesOf(shown, sorted, table.current))}
        />
      )}
    </div>
  )
}

const markedRow: ComponentProps<'tr'> = {
  'aria-current': true,
  ref: (row) => row?.scrollIntoView({ block: 'nearest' }),
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }

/** From a link or a button of a row to the first one of the next or the previous row. */
function stepRow(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key]
  const { target, currentTarget, ctrlKey, metaKey, altKey } = event
  if (step === undefined || ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return
  // Menus and dialogs of a row are elsewhere in the document; fields have their own use for these keys.
  if (!currentTarget.contains(target) || target.matches('input, select, textarea')) return
  const rows = [...currentTarget.querySelectorAll('tr')]
  const next = rows[rows.findIndex((row) => row.contains(target)) + step]
  const link = next?.querySelector<HTMLElement>('a, button')
  if (!link) return
  event.preventDefault()
  link.focus()
}

/** What is shown, with whole times and numbers in place of rounded ones. */
function linesOf<Item>(
  shown: readonly Column<Item>[],
  rows: readonly Item[],
  table: HTMLTableElement | null,
): string[][] {
  const kept = shown.filter(({ name }) => name !== 'Actions')
  const textAt = (row: number, column: Column<Item>) =>
    table?.tBodies[0]?.rows[row]?.cells[shown.indexOf(column)]?.innerText.replaceAll(/\s+/g, ' ').trim() ?? ''
  const lines = rows.map((item, row) =>
    kept.map((column) => {
      const exact = column.time ? column.time(item) : column.value?.(item)
      return column.time || typeof exact === 'number' ? String(exact ?? '') : textAt(row, column)
    }),
  )
  return [kept.map(({ name }) => name), ...lines]
}

function valuesOf<Item>(columns: readonly Column<Item>[]): SortValues<Item> {
  const entries = columns.flatMap(({ name, value, time }) => {
    const sortBy = time ? (item: Item) => timeValue(time(item)) : value
    return sortBy ? [[name, sortBy] as const] : []
  })
  return Object.fromEntries(entries)
}

function Cell<Item>({ column, isLead, item }: { column: Column<Item>; isLead: boolean; item: Item }) {
  const { name, short = name, time, cell, className = time && 'text-sm text-ink-soft' } = column
  const part = isLead ? 'cell-lead' : name === 'Actions' ? 'cell-actions' : undefined
  return (
    <td role="cell" data-label={part ? undefined : short} className={clsx(part, className)}>
      {cell ? cell(item) : <Value column={column} item={item} />}
    </td>
  )
}

function Value<Item>({ column, item }: { column: Column<Item>; item: Item }) {
  const { value, time, none = '–' } = column
  const moment = time?.(item) ?? null
  return moment === null ? (value?.(item) ?? none) : <MomentText time={moment} />
}

function Head({ column, sorting }: { column: string; sorting: Sorting }) {
  if (column === 'Actions' || !sorting.columns.has(column))
    return (
      <th role="columnheader" scope="col">
        {column === 'Actions' ? <span className="sr-only">{column}</span> : column}
      </th>
    )
  const order = sorting.order?.column === column ? sorting.order : undefined
  const Arrow = order?.isDescending ? ArrowDown : ArrowUp
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={order ? (order.isDescending ? 'descending' : 'ascending') : 'none'}
    >
      <button
        type="button"
        title={`Sort the rows shown by ${column.toLowerCase()}`}
        onClick={() => sorting.choose(column)}
        className="group -mx-1 inline-flex items-center gap-1 rounded px-1 hover:text-ink"
      >
        {column}
        <Arrow
          aria-hidden
          className={clsx('size-3', order ? 'text-accent' : 'opacity-0 group-hover:opacity-50')}
        />
      </button>
    </th>
  )
}
