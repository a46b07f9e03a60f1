import { clsx } from 'clsx'
import type { UsageLog } from '#usage/contract'
import type { Column } from './columns.tsx'

/** The same tracks for the header and every row. */
export const rowGrid = 'grid items-center gap-x-3 px-3'

export const tracksOf = (columns: readonly Column[]): { gridTemplateColumns: string } => ({
  gridTemplateColumns: columns.map(({ width }) => width).join(' '),
})

export interface LogRowProps {
  row: UsageLog
  keyName: string
  columns: readonly Column[]
  isOpen: boolean
  hasArrived: boolean
}

export const rowLook = ({ isOpen, hasArrived }: LogRowProps): string =>
  clsx(
    'relative h-full border-b border-line text-sm transition-colors',
    isOpen ? 'bg-accent-soft' : 'hover:bg-hover/60',
    hasArrived && 'animate-arrive',
  )

/** One line of the table. */
export function LogRow(props: LogRowProps) {
  const { row, keyName, columns } = props
  return (
    <div role="row" className={clsx(rowGrid, rowLook(props))} style={tracksOf(columns)}>
      {columns.map(({ id, isNumber, show }) => (
        <div key={id} role="cell" className={clsx('min-w-0', isNumber && 'text-right')}>
          {show(row, keyName)}
        </div>
      ))}
    </div>
  )
}
