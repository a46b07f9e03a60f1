import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { Change } from '../../ui/change.tsx'
import { InfoTip } from '../../ui/info-tip.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

interface MetricProps {
  name: string
  /** How it is calculated. */
  formula: string
  /** Undefined while it is loading; null without data. */
  value: number | null | undefined
  previous: number | null | undefined
  format: (value: number) => string
  /** Whether an increase is bad; undefined if it is neither. */
  upIsBad?: boolean
  isShare?: boolean
  note?: ReactNode
  /** The records behind it. */
  link?: { to: string; search?: Record<string, unknown> }
}

/** One figure with its formula, its change, and a link to the records behind it. Inside `Figures`. */
export function Metric(props: MetricProps) {
  const { name, formula, value, previous, format, upIsBad, isShare, note, link } = props
  const shown = value === null || value === undefined ? <NoData /> : format(value)
  return (
    <div className="min-w-0 flex-[1_1_10rem] bg-surface px-4 py-3">
      <dt className="flex items-center gap-1.5 text-xs text-ink-faint">
        <span className="truncate">{name}</span>
        <InfoTip label={`How ${name.toLowerCase()} is calculated`} text={formula} />
      </dt>
      <dd className="mt-0.5 text-xl font-semibold tracking-tight">
        {value === undefined ? (
          <Skeleton className="my-1 h-5 w-20" />
        ) : link && value !== null ? (
          <Link to={link.to} search={link.search ?? {}} className="hover:underline">
            {shown}
          </Link>
        ) : (
          shown
        )}
      </dd>
      <dd className="min-h-4.5 truncate text-xs text-ink-faint">
        {note ??
          (value !== undefined && value !== null && previous !== undefined && (
            <Change now={value} before={previous} upIsBad={upIsBad ?? false} isShare={isShare ?? false} />
          ))}
      </dd>
    </div>
  )
}

/** An average of nothing is neither good nor bad. */
function NoData() {
  return <span className="text-base font-medium text-ink-faint">no data</span>
}
