import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { AudioLines } from 'lucide-react'
import type { UsageLog } from '#usage/contract'
import { StatusDot } from '../../ui/status-dot.tsx'
import { providerName } from '../../ui/provider-name.ts'
import { countText, durationText } from '../../ui/quantity.ts'
import { CostText } from './cost-text.tsx'
import {
  statusDotOf,
  clockText,
  hasTokens,
  shortDayText,
  statusName,
  tokensText,
  wholeTime,
} from './log-words.ts'
import { readLogsSearch } from './logs-search.ts'

/** The same columns for the header and every row. */
export const rowGrid =
  'grid grid-cols-[4.5rem_minmax(0,1fr)_minmax(0,7rem)_6.75rem_8rem_5.5rem_5.25rem_1.25rem] items-center gap-x-4 px-4'

export interface LogRowProps {
  row: UsageLog
  keyName: string
  isOpen: boolean
  hasArrived: boolean
}

/** The time is the link that opens the record; its click area covers the whole row. */
export function OpenLink({ row, className }: { row: UsageLog; className?: string }) {
  return (
    <Link
      from="/logs"
      to="."
      search={(before) => readLogsSearch({ ...before, request: row.request_id })}
      resetScroll={false}
      data-row={row.id}
      title={wholeTime(row.started_at)}
      className={clsx(
        'after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus',
        className,
      )}
    >
      {clockText(row.started_at)}
    </Link>
  )
}

export const rowLook = ({ isOpen, hasArrived }: LogRowProps): string =>
  clsx(
    'relative h-full border-b border-line text-sm transition-colors',
    isOpen ? 'bg-accent-soft' : 'hover:bg-hover/60',
    hasArrived && 'animate-arrive',
  )

export function LogRow(props: LogRowProps) {
  const { row, keyName } = props
  return (
    <div role="row" className={clsx(rowGrid, rowLook(props))}>
      <div role="cell">
        <OpenLink row={row} className="block font-mono text-xs" />
        <span className="block text-xs text-ink-faint">{shortDayText(row.started_at)}</span>
      </div>
      <div role="cell" className="min-w-0">
        <span className="block truncate font-medium" title={row.model}>
          {row.model}
        </span>
        <span className="block truncate text-xs text-ink-faint">
          {row.provider === null ? 'no provider' : providerName(row.provider)}
        </span>
      </div>
      <div role="cell" className="truncate text-ink-soft" title={keyName}>
        {keyName}
      </div>
      <div role="cell">
        <StatusDot status={statusDotOf(row.status_code)}>{row.status_code}</StatusDot>
        {row.status_code >= 400 && (
          <span className="block truncate pl-4 text-xs text-ink-faint">{statusName(row.status_code)}</span>
        )}
      </div>
      <div role="cell" className="text-right">
        <Tokens row={row} />
      </div>
      <div role="cell" className="text-right">
        <CostText row={row} />
      </div>
      <div role="cell" className="text-right">
        {durationText(row.duration_ms)}
        {row.ttft_ms !== null && (
          <span className="block text-xs text-ink-faint" title="Time to first token">
            {durationText(row.ttft_ms)} first
          </span>
        )}
      </div>
      <div role="cell">
        <Streamed row={row} />
      </div>
    </div>
  )
}

function Tokens({ row }: { row: UsageLog }) {
  if (!hasTokens(row)) return <span className="text-ink-faint">–</span>
  return (
    <>
      <span className="whitespace-nowrap">{tokensText(row)}</span>
      {row.cached_tokens > 0 && (
        <span className="block text-xs text-ink-faint">{countText(row.cached_tokens)} cached</span>
      )}
    </>
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
