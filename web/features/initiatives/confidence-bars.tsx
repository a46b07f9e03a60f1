import { clsx } from 'clsx'
import { confidenceLevel, confidenceWord, type ConfidenceLevel } from './initiative-words.ts'

export const levelColours: Record<ConfidenceLevel, string> = {
  low: 'bg-danger-strong',
  middle: 'bg-primary',
  high: 'bg-success-strong',
}

/** One small bar for each criterion, as high as its confidence. */
export function ConfidenceBars({ confidences }: { confidences: readonly (number | null)[] }) {
  if (confidences.length === 0) return <span className="text-ink-faint">–</span>
  return (
    <span
      role="img"
      aria-label={`Confidence: ${confidences.map((value) => value ?? 'unknown').join(', ')}`}
      title={confidences.map((value) => (value === null ? 'unknown' : `${value}%`)).join(', ')}
      className="inline-flex h-6 items-end gap-0.5"
    >
      {confidences.slice(0, 12).map((value, place) => (
        <span key={place} className="flex h-full w-1.5 items-end overflow-hidden rounded-xs bg-hover">
          {value !== null && (
            <span
              className={clsx('w-full rounded-xs', levelColours[confidenceLevel(value)])}
              style={{ height: `${Math.max(8, value)}%` }}
            />
          )}
        </span>
      ))}
    </span>
  )
}

interface ConfidenceBarProps {
  confidence: number | null
  /** A mark where the agent's estimate is. */
  estimate?: number | undefined
  isStale?: boolean
}

/** How sure the people are, on a scale from 0 to 100. */
export function ConfidenceBar({ confidence, estimate, isStale }: ConfidenceBarProps) {
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <span aria-hidden className="relative h-2 w-24 shrink-0 rounded-full bg-hover sm:w-32">
        {confidence !== null && (
          <span
            className={clsx(
              'absolute inset-y-0 left-0 rounded-full',
              isStale ? 'bg-line-strong' : levelColours[confidenceLevel(confidence)],
            )}
            style={{ width: `${Math.max(3, confidence)}%` }}
          />
        )}
        {estimate !== undefined && (
          <span
            className="absolute -inset-y-1 w-0.5 rounded-full bg-ink"
            style={{ left: `calc(${estimate}% - 1px)` }}
          />
        )}
      </span>
      <span className={clsx('text-sm whitespace-nowrap', isStale && 'text-ink-faint')}>
        {confidence === null ? (
          <span className="text-ink-faint">not estimated</span>
        ) : (
          <>
            <span className="font-semibold tabular-nums">{confidence}%</span>{' '}
            <span className="text-ink-faint">{confidenceWord(confidence)}</span>
          </>
        )}
      </span>
    </span>
  )
}
