import { clsx } from 'clsx'
import { TrendingDown, TrendingUp } from 'lucide-react'
import { changeText } from './change-text.ts'

interface ChangeProps {
  now: number | null
  before: number | null
  /** Whether an increase is bad, as for error rate and duration. */
  upIsBad: boolean
  /** Shares change by percentage points, amounts by percent. */
  isShare?: boolean
}

/** How a figure changed since the previous period. */
export function Change({ now, before, upIsBad, isShare = false }: ChangeProps) {
  const { text, direction } = changeText({ now, before, isShare })
  if (direction === 0) return <span>{text}</span>
  const isUp = direction > 0
  const Sign = isUp ? TrendingUp : TrendingDown
  return (
    <span
      className={clsx('inline-flex items-center gap-1', upIsBad && (isUp ? 'text-danger' : 'text-success'))}
    >
      <Sign aria-hidden className="size-3.5" />
      {text}
      <span className="sr-only"> compared with the previous period</span>
    </span>
  )
}
