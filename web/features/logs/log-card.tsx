import { clsx } from 'clsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { providerName } from '../../ui/provider-name.ts'
import { durationText } from '../../ui/quantity.ts'
import { CostText } from './cost-text.tsx'
import { OpenLink, rowLook, Streamed, type LogRowProps } from './log-row.tsx'
import { statusDotOf, hasTokens, shortDayText, statusName, tokensText } from './log-words.ts'

/** A row where there is no room for columns. */
export function LogCard(props: LogRowProps) {
  const { row, keyName } = props
  const from = [row.provider === null ? 'no provider' : providerName(row.provider), keyName].join(' · ')
  return (
    <div role="row" className={clsx(rowLook(props), 'flex flex-col justify-center gap-1 px-4')}>
      <div role="cell" className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 truncate font-medium">{row.model}</span>
        <CostText row={row} />
      </div>
      <div role="cell" className="flex items-baseline justify-between gap-3 text-xs text-ink-faint">
        <span className="min-w-0 truncate">{from}</span>
        <span className="whitespace-nowrap">
          {shortDayText(row.started_at)} <OpenLink row={row} className="font-mono" />
        </span>
      </div>
      <div role="cell" className="flex items-center gap-3 text-xs text-ink-soft">
        <StatusDot status={statusDotOf(row.status_code)}>
          {row.status_code}
          {row.status_code >= 400 && ` ${statusName(row.status_code)}`}
        </StatusDot>
        {hasTokens(row) && <span className="whitespace-nowrap">{tokensText(row)}</span>}
        <span className="ml-auto whitespace-nowrap">{durationText(row.duration_ms)}</span>
        <Streamed row={row} />
      </div>
    </div>
  )
}
