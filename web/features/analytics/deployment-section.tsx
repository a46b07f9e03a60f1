import { useCallback, useMemo } from 'react'
import { Link } from '@tanstack/react-router'
import { Rocket } from 'lucide-react'
import type { DeploymentsReport } from '#analytics/contract'
import { Figures } from '../../ui/figure.tsx'
import { Table } from '../../ui/table.tsx'
import type { AnalyticsAddress } from './analytics-address.ts'
import { CountsChart } from './counts-chart.tsx'
import { deploymentChart } from './deployment-series.ts'
import { FirstServices } from './first-services.tsx'
import { deploymentsLink } from './links.ts'
import { Metric } from './metric.tsx'
import { NoRecords } from './no-records.tsx'
import { Section } from './section.tsx'
import { stepsOf } from './steps.ts'
import { count, rate, seconds, share } from './units.ts'
import { useChartLinks } from '../../ui/chart-links.tsx'
import { call } from '../../api/client.ts'
import { useReport, type Scope } from './use-report.ts'

export function DeploymentSection({ scope }: { scope: Scope }) {
  const { data, error, refetch, isPending } = useReport('deployments', scope, (query) =>
    call('GET', '/api/analytics/deployments', { query }),
  )
  const chart = useMemo(() => data && deploymentChart(data), [data])
  const { address } = scope
  const links = useChartLinks(
    useCallback((index, series) => data && stepLink(data, address, index, series), [data, address]),
  )
  return (
    <Section
      title="Deployment velocity"
      description="How often something is deployed, how it ends and how long it takes."
      error={error}
      onRetry={refetch}
    >
      <DeploymentFigures data={data} scope={scope} />
      {data && data.total + data.previous.total === 0 ? (
        <NoRecords
          icon={Rocket}
          title="No deployments in this period"
          hint="Connect GitHub or GitLab under Webhooks, or let your pipeline report them. The deployments page shows how."
          to="/deployments"
          action="Open deployments"
        />
      ) : (
        <CountsChart
          title="Deployments"
          description={`Per ${chart?.step ?? 'day'}, by result`}
          label="Deployments over time; the table shows the numbers"
          stepName={chart?.step === 'hour' ? 'Hour' : 'Day'}
          isPending={isPending}
          height={220}
          chart={chart}
          {...links}
        />
      )}
      {data && data.by_service.length > 0 && (
        <FirstServices services={data.by_service}>
          {(rows) => <ByService rows={rows} data={data} scope={scope} />}
        </FirstServices>
      )}
    </Section>
  )
}

const statusesOf: Record<string, string> = { Succeeded: 'succeeded', Failed: 'failed,rolled_back' }

function stepLink(data: DeploymentsReport, address: AnalyticsAddress, index: number, name?: string) {
  const span = stepsOf(data).spanAt(index)
  const status = name === undefined ? 'succeeded,failed,rolled_back' : statusesOf[name]
  return span && status !== undefined ? deploymentsLink(span, address, { status }) : undefined
}

function DeploymentFigures({ data, scope }: { data: DeploymentsReport | undefined; scope: Scope }) {
  const linkTo = (status?: string) =>
    data && {
      link: deploymentsLink(data.period, scope.address, status === undefined ? {} : { status }),
    }
  const before = data?.previous
  return (
    <Figures label="Deployment figures">
      <Metric
        name="Deployments"
        formula="Deployments that ended in the period, and those that began in it and still run."
        value={data?.total}
        previous={before?.total}
        format={count}
        {...linkTo()}
      />
      <Metric
        name="Successful per day"
        formula="Successful deployments, divided by the calendar days of the period."
        value={data?.deployments_per_day}
        previous={undefined}
        format={rate}
        {...linkTo('succeeded')}
      />
      <Metric
        name="Success rate"
        formula="Successful deployments, divided by those that ended."
        value={data?.success_rate}
        previous={before?.success_rate}
        format={share}
        isShare
        {...linkTo('succeeded')}
      />
      <Metric
        name="Average build time"
        formula="Average time from start to end of the deployments that ended; below it the median."
        value={data?.average_build_seconds}
        previous={before?.average_build_seconds}
        format={seconds}
        upIsBad
        {...linkTo('succeeded,failed,rolled_back')}
        {...(typeof data?.median_build_seconds === 'number' && {
          note: `median ${seconds(data.median_build_seconds)}`,
        })}
      />
      <Metric
        name="Lead time"
        formula="Median time from the commit to the end of its successful deployment. Only deployments whose commit time is known."
        value={data && (data.lead_time?.median_seconds ?? null)}
        previous={before && (before.lead_time?.median_seconds ?? null)}
        format={seconds}
        upIsBad
        {...linkTo('succeeded')}
      />
    </Figures>
  )
}

interface ByServiceProps {
  rows: readonly DeploymentsReport['by_service'][number][]
  data: DeploymentsReport
  scope: Scope
}

function ByService({ rows, data, scope }: ByServiceProps) {
  const secondsText = (value: number | null) => (value === null ? 'no data' : seconds(value))
  return (
    <Table
      label="Deployments by service"
      rows={rows}
      rowKey={({ service }) => service}
      columns={[
        {
          name: 'Service',
          value: ({ service }) => service,
          cell: ({ service }) => (
            <Link
              {...deploymentsLink(data.period, { ...scope.address, service })}
              className="font-medium hover:underline"
            >
              {service}
            </Link>
          ),
        },
        { name: 'Deployments', value: ({ total }) => total, cell: ({ total }) => count(total) },
        {
          name: 'Success rate',
          short: 'Success',
          value: ({ success_rate }) => success_rate,
          cell: ({ success_rate }) => (success_rate === null ? 'no data' : share(success_rate)),
        },
        {
          name: 'Average build',
          short: 'Build',
          value: ({ average_build_seconds }) => average_build_seconds,
          cell: ({ average_build_seconds }) => secondsText(average_build_seconds),
        },
        {
          name: 'Lead time',
          value: ({ lead_time }) => lead_time?.median_seconds,
          cell: ({ lead_time }) => secondsText(lead_time?.median_seconds ?? null),
        },
      ]}
    />
  )
}
