import { clsx } from 'clsx'
import { TrendingDown, TrendingUp } from 'lucide-react'
import { countText, percentText } from '../../ui/quantity.ts'

interface ChangeProps {
  now: number | null
  before: number | null
  /** More is worse: an error rate, a duration. More spend is neither. */
  upIsBad: boolean
  /** A share changes by points, an amount by a part of itself. */
  isShare?: boolean
}

/** How a figure moved against the period before. */
export function Change({ now, before, upIsBad, isShare }: ChangeProps) {
  if (now === before && now !== null) return <span>as before</span>
  if (now === null || before === null || (before === 0 && !isShare)) return <span>nothing to compare</span>
  const change = isShare ? now - before : now / before - 1
  if (Math.abs(change) < 0.0005) return <span>as before</span>
  const isUp = change > 0
  const Sign = isUp ? TrendingUp : TrendingDown
  return (
    <span
      className={clsx('inline-flex items-center gap-1', upIsBad && (isUp ? 'text-danger' : 'text-clear'))}
    >
      <Sign aria-hidden className="size-3.5" />
      {isUp ? '+' : '−'}
      {amountOf(change, isShare)}
      <span className="sr-only"> against the period before</span>
    </span>
  )
}

function amountOf(change: number, isShare = false): string {
  if (isShare) return `${(Math.abs(change) * 100).toFixed(1)} points`
  return change > 9.995 ? `${countText(Math.round(change * 100))}%` : percentText(Math.abs(change))
}
