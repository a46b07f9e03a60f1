import type { ComponentProps, ReactNode } from 'react'
import { clsx } from 'clsx'

/** The roles are explicit because the cards on narrow screens are not tables for the browser. */
export function Table({
  label,
  columns,
  children,
}: {
  label: string
  columns: string[]
  children: ReactNode
}) {
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-surface shadow-low">
      <table role="table" aria-label={label} className="data-table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column} role="columnheader" scope="col">
                {column === 'Actions' ? <span className="sr-only">{column}</span> : column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">{children}</tbody>
      </table>
    </div>
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
