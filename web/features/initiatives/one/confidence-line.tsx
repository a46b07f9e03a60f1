import { Fragment } from 'react'
import type { Criterion } from '#initiatives/contract'
import { dayOf } from '../../../ui/moment.ts'
import { stepsOf } from './confidence-steps.ts'

interface ConfidenceLineProps {
  criterion: Criterion
  isStale: boolean
}

const y = (value: number): string => `${94 - value * 0.88}%`
const x = (place: number): string => `${1 + place * 0.98}%`

/** The history of a confidence as a line of steps; circles are what the agent had proposed. */
export function ConfidenceLine({ criterion, isStale }: ConfidenceLineProps) {
  const { history } = criterion
  const { steps, estimates } = stepsOf(history, Date.now())
  const [first] = history
  if (!first) return null
  const colour = isStale ? 'var(--line-strong)' : 'var(--series-1)'
  const values = history.map(({ confidence }) => confidence).join(', ')
  return (
    <figure>
      <svg role="img" aria-label={`Confidence over time: ${values}`} className="h-16 w-full overflow-visible">
        {[0, 50, 100].map((value) => (
          <line key={value} x1="0" x2="100%" y1={y(value)} y2={y(value)} stroke="var(--line)" />
        ))}
        {steps.map(({ from, to, value }, index) => {
          const before = steps[index - 1]?.value
          const line = { stroke: colour, strokeWidth: 2, strokeLinecap: 'round' as const }
          return (
            <Fragment key={index}>
              {before !== undefined && (
                <line {...line} x1={x(from)} x2={x(from)} y1={y(before)} y2={y(value)} />
              )}
              <line
                {...line}
                {...(isStale && index === steps.length - 1 && { strokeDasharray: '3 5' })}
                x1={x(from)}
                x2={x(to)}
                y1={y(value)}
                y2={y(value)}
              />
              <circle cx={x(from)} cy={y(value)} r="3" fill={colour} />
            </Fragment>
          )
        })}
        {estimates.map(({ at, value }, index) => (
          <circle
            key={index}
            cx={x(at)}
            cy={y(value)}
            r="4"
            fill="var(--surface)"
            stroke="var(--series-2)"
            strokeWidth="2"
          />
        ))}
      </svg>
      <figcaption className="flex justify-between text-xs text-ink-faint">
        <span>{dayOf(first.created_at)}</span>
        {estimates.length > 0 && (
          <span className="flex items-center gap-1.5">
            <span aria-hidden className="size-2 rounded-full border-2 border-(--series-2)" />
            agent’s estimate
          </span>
        )}
        <span>now</span>
      </figcaption>
    </figure>
  )
}
