import type { ComponentProps, ReactNode } from 'react'
import { clsx } from 'clsx'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { MomentText } from './moment-text.tsx'
import { timeValue, useSorted, type Sorting, type SortValue, type SortValues } from './sorting.ts'

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
}

/** The roles are explicit because the cards on narrow screens are not tables for the browser. */
export function Table<Item>({ label, columns, rows, rowKey, rowProps }: TableProps<Item>) {
  const { sorted, sorting } = useSorted(rows, valuesOf(columns))
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-surface shadow-low">
      <table role="table" aria-label={label} className="data-table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ name }) => (
              <Head key={name} column={name} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {sorted.map((item, index) => (
            <tr role="row" key={rowKey(item, index)} {...rowProps?.(item)}>
              {columns.map((column, place) => (
                <Cell key={column.name} column={column} isLead={place === 0} item={item} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
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
