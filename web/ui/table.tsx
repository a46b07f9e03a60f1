import type { ComponentProps, ReactNode } from 'react'
import { clsx } from 'clsx'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useSorted, type Sorting, type SortValues } from './sorting.ts'

interface TableProps<Item> {
  label: string
  columns: readonly string[]
  rows: readonly Item[]
  /** By the name of the column: what the rows are sorted by when its head is clicked. */
  sortBy?: SortValues<Item>
  /** One row, with its key. */
  children: (item: Item, index: number) => ReactNode
}

const noOrder = {}

/** The roles are explicit because the cards on narrow screens are not tables for the browser. */
export function Table<Item>({ label, columns, rows, sortBy = noOrder, children }: TableProps<Item>) {
  const { sorted, sorting } = useSorted(rows, sortBy)
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-surface shadow-low">
      <table role="table" aria-label={label} className="data-table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <Head key={column} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">{sorted.map(children)}</tbody>
      </table>
    </div>
  )
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

export function Row(props: ComponentProps<'tr'>) {
  return <tr role="row" {...props} />
}

interface CellProps {
  /** The column's name, shown beside the value on narrow screens. */
  label?: string
  /** The cell that names the row, or the one with its menu. */
  part?: 'lead' | 'actions'
  className?: string
  children: ReactNode
}

export function Cell({ label, part, className, children }: CellProps) {
  return (
    <td role="cell" data-label={label} className={clsx(part && `cell-${part}`, className)}>
      {children}
    </td>
  )
}
