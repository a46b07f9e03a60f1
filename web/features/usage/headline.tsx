import { Link } from '@tanstack/react-router'
import type { UsageFilter, UsageSums } from '#usage/contract'
import { Figure, Figures } from '../../ui/figure.tsx'
import { countText, shortCount } from '../../ui/quantity.ts'
import {
  DurationFigure,
  ErrorRateFigure,
  RequestsFigure,
  SpendFigure,
  TokensFigure,
  type Compared,
} from './usage-figures.tsx'

interface HeadlineProps extends Compared {
  /** Of the same requests. */
  filter: UsageFilter
}

/** The totals of the period, each compared with the previous period. */
export function Headline({ filter, ...compared }: HeadlineProps) {
  return (
    <Figures label="Headline figures">
      <SpendFigure {...compared} />
      <RequestsFigure {...compared} />
      <TokensFigure {...compared} />
      <ErrorRateFigure {...compared} filter={filter} />
      <DurationFigure {...compared} />
      <Unpriced sums={compared.sums} />
    </Figures>
  )
}

function Unpriced({ sums }: { sums: UsageSums | undefined }) {
  return (
    <Figure
      name="Without a price"
      value={sums && shortCount(sums.unpriced_requests)}
      title={sums && countText(sums.unpriced_requests)}
      note={
        sums !== undefined && sums.unpriced_requests > 0 ? (
          <Link to="/usage/prices" className="text-accent underline underline-offset-2">
            Set prices
          </Link>
        ) : (
          sums && sums.requests > 0 && 'all priced'
        )
      }
    />
  )
}
