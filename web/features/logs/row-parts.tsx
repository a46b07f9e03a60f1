import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { AudioLines, Repeat2 } from 'lucide-react'
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
    <span className="flex min-w-0 items-center gap-1.5">
      <span
        className={clsx('block min-w-0 truncate', row.model ? 'font-medium' : 'text-ink-faint')}
        title={row.model ? name : `${name}: ${row.endpoint}`}
      >
        {name}
      </span>
      {row.route !== null && (
        <span className="min-w-0 shrink-[4] truncate text-xs text-ink-faint" title={`Route ${row.route}`}>
          {row.route}
        </span>
      )}
      <SeveralCalls row={row} />
    </span>
  )
}

/** Marks a request that one call to a provider was not enough for. */
function SeveralCalls({ row: { attempt_count: count } }: { row: UsageLog }) {
  if (count < 2) return null
  return (
    <span
      title={`${count} calls to providers`}
      className="inline-flex shrink-0 items-center gap-0.5 rounded-md bg-accent-soft px-1 py-0.5 text-xs leading-none font-medium text-accent"
    >
      <Repeat2 aria-hidden className="size-3" />
      {count}
      <span className="sr-only"> calls to providers</span>
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
