import { clsx } from 'clsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { providerName } from '../../ui/provider-name.ts'
import { durationText } from '../../ui/quantity.ts'
import { CostText } from './cost-text.tsx'
import { rowLook, type LogRowProps } from './log-row.tsx'
import { shortDayText } from '../../ui/moment.ts'
import { statusDotOf, hasTokens, statusName, tokensText } from './log-words.ts'
import { ModelText, OpenLink } from './row-parts.tsx'

/** A row where there is no room for columns. */
export function LogCard(props: LogRowProps) {
  const { row, keyName } = props
  const isError = row.status_code >= 400
  const from = [row.provider === null ? 'no provider' : providerName(row.provider), keyName].join(' · ')
  return (
    <div role="row" className={clsx(rowLook(props), 'flex flex-col justify-center gap-0.5 px-3')}>
      <div role="cell" className="flex min-w-0 items-baseline gap-2">
        <StatusDot status={statusDotOf(row.status_code)}>
          <span className="text-xs">{row.status_code}</span>
        </StatusDot>
        <span className="min-w-0 flex-1">
          <ModelText row={row} />
        </span>
        <CostText row={row} />
      </div>
      <div role="cell" className="flex min-w-0 items-baseline justify-between gap-3 text-xs text-ink-faint">
        <span className="min-w-0 truncate" title={from}>
          {isError ? statusName(row.status_code) : from}
        </span>
        <span className="whitespace-nowrap">
          {hasTokens(row) && `${tokensText(row)} · `}
          {durationText(row.duration_ms)}
        </span>
        <span className="whitespace-nowrap">
          {shortDayText(row.started_at)} <OpenLink row={row} className="font-mono" />
        </span>
      </div>
    </div>
  )
}
