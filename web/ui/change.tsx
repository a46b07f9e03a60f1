import { clsx } from 'clsx'
import { TrendingDown, TrendingUp } from 'lucide-react'
import { countText, percentText } from './quantity.ts'

interface ChangeProps {
  now: number | null
  before: number | null
  /** Whether an increase is bad, as for error rate and duration. */
  upIsBad: boolean
  /** Shares change by percentage points, amounts by percent. */
  isShare?: boolean
}

/** How a figure changed since the previous period. */
export function Change({ now, before, upIsBad, isShare }: ChangeProps) {
  if (now === before && now !== null) return <span>no change</span>
  if (now === null || before === null || (before === 0 && !isShare)) return <span>–</span>
  const change = isShare ? now - before : now / before - 1
  if (Math.abs(change) < 0.0005) return <span>no change</span>
  const isUp = change > 0
  const Sign = isUp ? TrendingUp : TrendingDown
  return (
    <span
      className={clsx('inline-flex items-center gap-1', upIsBad && (isUp ? 'text-danger' : 'text-success'))}
    >
      <Sign aria-hidden className="size-3.5" />
      {isUp ? '+' : '−'}
      {amountOf(change, isShare)}
      <span className="sr-only"> compared with the previous period</span>
    </span>
  )
}

function amountOf(change: number, isShare = false): string {
  if (isShare) return `${(Math.abs(change) * 100).toFixed(1)} points`
  return change > 9.995 ? `${countText(Math.round(change * 100))}%` : percentText(Math.abs(change))
}
