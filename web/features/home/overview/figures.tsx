import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SpendForecast, UsageFilter } from '#usage/contract'
import { Figure, Figures } from '../../../ui/figure.tsx'
import { exactDollars, shortDollars } from '../../../ui/money.ts'
import {
  DurationFigure,
  ErrorRateFigure,
  forecastQuery,
  RequestsFigure,
  SpendFigure,
  type Compared,
} from '../../usage/index.ts'

interface OverviewFiguresProps extends Compared {
  groupId: string
  /** Of the same requests. */
  filter: UsageFilter
}

/** Spend with its trend and where the month will end, requests, errors and latency. */
export function OverviewFigures({ groupId, filter, ...compared }: OverviewFiguresProps) {
  const { data: month } = useQuery(forecastQuery(groupId))
  return (
    <Figures label="Headline figures">
      <SpendFigure name="Spend, 7 days" {...compared} />
      <Figure
        name="Spend, this month"
        value={month && <Link to="/usage">{shortDollars(month.spent)}</Link>}
        title={month && exactDollars(month.spent)}
        note={month && forecastText(month)}
      />
      <RequestsFigure {...compared} />
      <ErrorRateFigure {...compared} filter={filter} />
      <DurationFigure {...compared} />
    </Figures>
  )
}

const forecastText = ({ forecast }: SpendForecast): string =>
  forecast === null ? 'no forecast yet' : `forecast ${shortDollars(forecast)}`
