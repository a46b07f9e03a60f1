import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { AudioLines } from 'lucide-react'
import type { UsageLog } from '#usage/contract'
import { modelName } from '../../ui/model-name.ts'
import { wholeTime } from '../../ui/moment.ts'
import { clockText, shortDayText } from '../../ui/moment.ts'
import { readLogsAddress } from './logs-address.ts'

interface OpenLinkProps {
  row: UsageLog
  className?: string
  withDay?: boolean
}

/** The time is the link that opens the record; its click area covers the whole row. */
export function OpenLink({ row, className, withDay }: OpenLinkProps) {
  return (
    <Link
      from="/logs"
      to="."
      search={(before) => readLogsAddress({ ...before, request: row.request_id })}
      resetScroll={false}
      data-row={row.id}
      title={wholeTime(row.started_at)}
      className={clsx(
        'after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus',
        className,
      )}
    >
      {withDay && <span className="text-ink-faint">{shortDayText(row.started_at)} </span>}
      {clockText(row.started_at)}
    </Link>
  )
}

export const Faint = ({ children }: { children: ReactNode }) => (
  <span className="text-ink-faint">{children}</span>
)

export function ModelText({ row }: { row: UsageLog }) {
  const name = modelName(row.model)
  return (
    <span
      className={clsx('block min-w-0 truncate', row.model ? 'font-medium' : 'text-ink-faint')}
      title={row.model ? name : `${name}: ${row.endpoint}`}
    >
      {name}
    </span>
  )
}

export function Streamed({ row }: { row: UsageLog }) {
  if (!row.streamed) return <span className="sr-only">not streamed</span>
  return (
    <span title="Streamed">
      <AudioLines aria-hidden className="size-4 text-ink-faint" />
      <span className="sr-only">streamed</span>
    </span>
  )
}
