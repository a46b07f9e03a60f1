import { useCallback } from 'react'
import type { VelocityReport } from '#analytics/contract'
import { ChartCard } from '../../ui/chart-card.tsx'
import { dayText } from '../../ui/days.ts'
import { Figures } from '../../ui/figure.tsx'
import type { AnalyticsAddress } from './analytics-address.ts'
import { wholeAxis } from './counts-chart.tsx'
import { series } from './deployment-series.ts'
import { completedTicketsLink, daysOf, deploymentsLink, stepText, wholeDays } from './links.ts'
import { Metric } from './metric.tsx'
import { Section } from './section.tsx'
import { rate, seconds, share } from './units.ts'
import { useChartLinks } from '../../ui/chart-links.tsx'
import { call } from '../../api/client.ts'
import { useReport, type Scope } from './use-report.ts'

const classes = {
  daily: 'deploys daily or on demand',
  weekly: 'deploys weekly',
  monthly: 'deploys monthly',
  yearly: 'deploys less than monthly',
}

/** The five DORA keys, of production. */
export function DoraSection({ scope }: { scope: Scope }) {
  const { data, error, refetch } = useReport('velocity', scope, (query) =>
    call('GET', '/api/analytics/velocity', { query }),
  )
  const linkTo = (more: Record<string, unknown>) =>
    data && { link: deploymentsLink(data.period, scope.address, { is_production: true, ...more }) }
  const unrecovered = data?.unrecovered ?? 0
  return (
    <Section
      title="DORA metrics"
      description={`Of deployments to production. ${data?.frequency_class ? `The team ${classes[data.frequency_class]}.` : 'For a team to look at itself; they are not targets.'}`}
      error={error}
      onRetry={refetch}
    >
      <Figures label="DORA metrics">
        <Metric
          name="Deployment frequency"
          formula="Successful deployments to production, divided by the calendar days of the period."
          value={data?.deployment_frequency.value}
          previous={data?.deployment_frequency.previous}
          format={(value) => `${rate(value)} / day`}
          {...linkTo({ status: 'succeeded' })}
        />
        <Metric
          name="Change lead time"
          formula="Median time from the commit to the end of its successful deployment. Only deployments whose commit time is known."
          value={data?.change_lead_time.value}
          previous={data?.change_lead_time.previous}
          format={seconds}
          upIsBad
          {...linkTo({ status: 'succeeded' })}
        />
        <Metric
          name="Change failure rate"
          formula="Deployments that failed, were rolled back, caused an incident, or whose next deployment was rework that began within 24 hours, divided by all that ended."
          value={data?.change_failure_rate.value}
          previous={data?.change_failure_rate.previous}
          format={share}
          upIsBad
          isShare
          {...linkTo({ is_change_failure: true })}
        />
        <Metric
          name="Recovery time"
          formula="Median time from the end of a failed deployment until its incidents were closed, or until the next success of the same service. Failures without recovery are not in it."
          value={data?.time_to_restore.value}
          previous={data?.time_to_restore.previous}
          format={seconds}
          upIsBad
          {...linkTo({ is_change_failure: true })}
          {...(unrecovered > 0 && { note: `${unrecovered} not recovered yet` })}
        />
        <Metric
          name="Rework rate"
          formula="Unplanned deployments that repair something, divided by all that ended."
          value={data?.deployment_rework_rate.value}
          previous={data?.deployment_rework_rate.previous}
          format={share}
          upIsBad
          isShare
          {...linkTo({ is_rework: true })}
        />
      </Figures>
      {data && data.per_week.length > 1 && hasWeeks(data) && <Weeks data={data} scope={scope} />}
    </Section>
  )
}

const hasWeeks = ({ per_week }: VelocityReport): boolean =>
  per_week.some((week) => week.deployments + week.completed_tickets > 0)

/** The first and the last week may be cut by the period. */
function Weeks({ data, scope: { address } }: { data: VelocityReport; scope: Scope }) {
  const { per_week: weeks } = data
  const links = useChartLinks(
    useCallback((index, name) => weekLink(data, address, index, name), [data, address]),
  )
  return (
    <ChartCard
      title="Weekly velocity"
      description="Successful deployments and completed tickets per week, from Monday"
      label="Deployments and completed tickets per week; the table shows the numbers"
      stepName="Week from"
      isPending={false}
      form="lines"
      height={180}
      steps={weeks.map(({ week }) => stepText(dayText(week), wholeDays(week, 7), data.period))}
      series={[
        series(
          'Deployments',
          '--series-3',
          weeks.map(({ deployments }) => deployments),
        ),
        series(
          'Completed tickets',
          '--series-1',
          weeks.map(({ completed_tickets: completed }) => completed),
        ),
      ]}
      formatAxis={wholeAxis}
      {...links}
    />
  )
}

function weekLink(
  { per_week, period }: VelocityReport,
  address: AnalyticsAddress,
  index: number,
  name?: string,
) {
  const week = per_week[index]
  const span = week && daysOf(week.week, period, 7)
  if (!span || name === undefined) return undefined
  return name === 'Deployments'
    ? deploymentsLink(span, address, { status: 'succeeded' })
    : completedTicketsLink(span)
}
