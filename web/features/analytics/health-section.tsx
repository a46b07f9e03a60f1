import { Link, useNavigate } from '@tanstack/react-router'
import { Activity } from 'lucide-react'
import type { HealthReport } from '#analytics/contract'
import { Figures } from '../../ui/figure.tsx'
import { HeartbeatBars, HeartbeatLegend, type Beat } from '../../ui/heartbeat-bars.tsx'
import { Card } from '../../ui/page.tsx'
import { counted, durationText } from '../../ui/quantity.ts'
import { FirstServices } from './first-services.tsx'
import { incidentsLink } from './links.ts'
import { Metric } from './metric.tsx'
import { NoRecords } from './no-records.tsx'
import { Section } from './section.tsx'
import { count, percent, seconds } from './units.ts'
import { call } from '../../api/client.ts'
import { useReport, type Scope } from './use-report.ts'
import { dayAndTimeText, shortDayText } from '../../ui/moment.ts'

type ServiceHealth = HealthReport['services'][number]

export function HealthSection({ scope }: { scope: Scope }) {
  const { data, error, refetch } = useReport('health', scope, (query) =>
    call('GET', '/api/analytics/health', { query }),
  )
  return (
    <Section
      title="Service health"
      description="What the health checks found. Grey: nothing was checked, so nothing is known."
      error={error}
      onRetry={refetch}
    >
      <Figures label="Health figures">
        <Metric
          name="Uptime"
          formula="Checks that passed, divided by all checks outside maintenance, of all services together."
          value={data?.uptime_percent.value}
          previous={data?.uptime_percent.previous}
          format={percent}
          link={{ to: '/services' }}
        />
        <Metric
          name="Incidents"
          formula="Incidents that were opened in the period, by failed checks or by alerts."
          value={data?.incidents.value}
          previous={data?.incidents.previous}
          format={count}
          upIsBad
          {...(data && { link: incidentsLink(data.period, scope.address) })}
        />
        <Metric
          name="Services"
          formula="Registered services in this report."
          value={data?.services.length}
          previous={undefined}
          format={count}
          link={{ to: '/services' }}
        />
      </Figures>
      {data?.services.length === 0 && (
        <NoRecords
          icon={Activity}
          title="No services yet"
          hint="Add the URL of a health check. Its uptime, latency and incidents then appear here."
          to="/services"
          action="Open services"
        />
      )}
      {data && data.services.length > 0 && (
        <Card
          title="Checks"
          description="The lowest uptime first. From left to right: the period, in equal steps."
          action={<HeartbeatLegend />}
        >
          <FirstServices services={data.services.toSorted(byUptime)}>
            {(services) => (
              <ul className="divide-y divide-line">
                {services.map((service) => (
                  <ServiceRow key={service.id} service={service} report={data} />
                ))}
              </ul>
            )}
          </FirstServices>
        </Card>
      )}
    </Section>
  )
}

/** Those that were not checked come last. */
const byUptime = (a: ServiceHealth, b: ServiceHealth): number =>
  (a.uptime_percent ?? Infinity) - (b.uptime_percent ?? Infinity) || 0

function ServiceRow({ service, report }: { service: ServiceHealth; report: HealthReport }) {
  const navigate = useNavigate()
  const params = { name: service.service }
  const checksOf = (index: number) => ({
    tab: 'checks',
    since: service.buckets[index]?.at ?? report.period.from,
    until: service.buckets[index + 1]?.at ?? report.period.to,
  })
  const { coverage_percent: coverage } = service
  const facts = [
    service.mean_time_to_restore_seconds !== null &&
      `restored in ${seconds(service.mean_time_to_restore_seconds)} on average`,
    service.average_latency_ms !== null && `${durationText(service.average_latency_ms)} average latency`,
    coverage !== null && coverage < 95 && `only ${percent(coverage)} of the checks ran`,
  ].filter((fact) => fact !== false)
  return (
    <li className="py-3 first:pt-0 last:pb-0">
      <div className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-4">
        <Link to="/services/$name" params={params} className="text-sm font-medium hover:underline">
          {service.title}
        </Link>
        <span className="text-sm">
          {service.uptime_percent === null ? (
            <span className="text-ink-faint">no data</span>
          ) : (
            <Link
              to="/services/$name"
              params={params}
              search={{ tab: 'checks', since: report.period.from, until: report.period.to }}
              className="hover:underline"
            >
              {percent(service.uptime_percent)} uptime
            </Link>
          )}
        </span>
      </div>
      <HeartbeatBars
        label={`${service.title}, checks of the period`}
        beats={service.buckets.map((bucket) => beatOf(bucket, report.bucket))}
        onPick={(index) => void navigate({ to: '/services/$name', params, search: checksOf(index) })}
      />
      <p className="mt-1 text-xs text-ink-faint">
        {service.incidents > 0 && (
          <Link
            {...incidentsLink(report.period, { service: service.service })}
            className="text-ink-soft hover:underline"
          >
            {counted(service.incidents, 'incident')}
          </Link>
        )}
        {service.incidents > 0 && facts.length > 0 && ' · '}
        {facts.join(' · ')}
      </p>
    </li>
  )
}

function beatOf(
  { at, ok, failed, maintenance, state }: ServiceHealth['buckets'][number],
  step: HealthReport['bucket'],
): Beat {
  const parts = [
    ok > 0 && `${counted(ok, 'check')} passed`,
    failed > 0 && `${failed} failed`,
    maintenance > 0 && `${maintenance} during maintenance`,
  ].filter((part) => part !== false)
  const time = (typeof step === 'number' ? dayAndTimeText : shortDayText)(at)
  const start = step === 'week' ? `Seven days from ${time}` : time
  return { state, text: `${start}: ${parts.length === 0 ? 'no data' : parts.join(', ')}` }
}
