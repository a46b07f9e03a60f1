import { useCallback, useMemo } from 'react'
import { Link } from '@tanstack/react-router'
import { CircleDot } from 'lucide-react'
import type { TicketsReport } from '#analytics/contract'
import { Badge } from '../../ui/badge.tsx'
import { Figures } from '../../ui/figure.tsx'
import { MomentText } from '../../ui/moment-text.tsx'
import { Card } from '../../ui/page.tsx'
import { counted } from '../../ui/quantity.ts'
import { CountsChart } from './counts-chart.tsx'
import { series } from './deployment-series.ts'
import { completedTicketsLink, createdTicketsLink } from './links.ts'
import type { RecordsLink } from '../../ui/chart-links.tsx'
import { Metric } from './metric.tsx'
import { NoRecords } from './no-records.tsx'
import { Section } from './section.tsx'
import { stepsOf } from './steps.ts'
import { count, hours } from './units.ts'
import { useChartLinks } from '../../ui/chart-links.tsx'
import { call } from '../../api/client.ts'
import { useReport, type Scope } from './use-report.ts'

export function TicketSection({ scope }: { scope: Scope }) {
  const { data, error, refetch, isPending } = useReport('tickets/flow', scope, (all) => {
    // Tickets belong to no service.
    const { service: _, ...query } = all
    return call('GET', '/api/analytics/tickets/flow', { query })
  })
  const chart = useMemo(() => data && ticketChart(data), [data])
  const stepName = chart?.step === 'hour' ? 'Hour' : 'Day'
  const links = useChartLinks(useCallback((index, name) => data && stepLink(data, index, name), [data]))
  return (
    <Section
      title="Ticket flow"
      description={`What was added, what was finished and what is left.${scope.address.service === undefined ? '' : ' Tickets belong to no service: these are all of them.'}`}
      error={error}
      onRetry={refetch}
    >
      <TicketFigures data={data} />
      {data && !hasTickets(data) ? (
        <NoRecords
          icon={CircleDot}
          title="No tickets in this period"
          hint="Add one, or connect GitHub or GitLab under Webhooks: their issues then appear automatically."
          to="/tickets"
          action="Open tickets"
        />
      ) : (
        <>
          <CountsChart
            title="Created and completed"
            description={`Per ${chart?.step ?? 'day'}`}
            label="Tickets created and completed; the table shows the numbers"
            stepName={stepName}
            isPending={isPending}
            form="lines"
            height={220}
            chart={chart}
            {...links}
          />
          <CountsChart
            title="Open tickets"
            description={`At the end of each ${chart?.step ?? 'day'}`}
            label="Open tickets; the table shows the numbers"
            stepName={stepName}
            isPending={isPending}
            form="lines"
            height={140}
            chart={chart && { steps: chart.steps, series: chart.open, ghost: undefined }}
          />
        </>
      )}
      {data && data.stale.length > 0 && <Stale data={data} />}
    </Section>
  )
}

const hasTickets = ({ created, completed, cancelled, open, per_day }: TicketsReport): boolean =>
  created + completed + cancelled + open > 0 || per_day.some((day) => day.open > 0)

function stepLink(report: TicketsReport, index: number, name?: string) {
  const span = stepsOf(report).spanAt(index)
  if (!span || (name !== 'Created' && name !== 'Completed')) return undefined
  return name === 'Created' ? createdTicketsLink(span) : completedTicketsLink(span)
}

/** The period before has days only. */
function ticketChart(report: TicketsReport) {
  const { step, texts, counts } = stepsOf(report)
  const before = step === 'hour' ? [] : report.previous.per_day
  return {
    step,
    steps: texts,
    series: [
      series(
        'Created',
        '--series-2',
        counts.map(({ created }) => created),
      ),
      series(
        'Completed',
        '--series-3',
        counts.map(({ completed }) => completed),
      ),
    ],
    // On an axis of its own: many are open where few are created.
    open: [
      series(
        'Open',
        '--series-1',
        counts.map(({ open }) => open),
      ),
    ],
    ghost: before.some(({ completed }) => completed > 0)
      ? series(
          'Completed, previous period',
          '--ink-faint',
          counts.map((_, index) => before[index]?.completed ?? null),
        )
      : undefined,
  }
}

function TicketFigures({ data }: { data: TicketsReport | undefined }) {
  const before = data?.previous
  return (
    <Figures label="Ticket figures">
      <Metric
        name="Created"
        formula="Tickets that were created in the period."
        value={data?.created}
        previous={before?.created}
        format={count}
        {...(data && { link: createdTicketsLink(data.period) })}
      />
      <Metric
        name="Completed"
        formula="Tickets whose status became done in the period."
        value={data?.completed}
        previous={before?.completed}
        format={count}
        {...(data && { link: completedTicketsLink(data.period) })}
      />
      <Metric
        name="Open now"
        formula="Tickets that are open or in progress now."
        value={data?.open}
        previous={undefined}
        format={count}
        note={
          data &&
          (data.net === 0 ? 'no change' : `${data.net > 0 ? '+' : '−'}${Math.abs(data.net)} in the period`)
        }
        link={{ to: '/tickets', search: { status: 'open,in_progress' } }}
      />
      <Metric
        name="Time to resolution"
        formula="Median time from creation to completion of the tickets that were completed in the period; below it the average."
        value={data?.median_resolution_hours}
        previous={before?.median_resolution_hours}
        format={hours}
        upIsBad
        {...(data && { link: completedTicketsLink(data.period) })}
        {...(typeof data?.average_resolution_hours === 'number' && {
          note: `average ${hours(data.average_resolution_hours)}`,
        })}
      />
      <Metric
        name="Stale"
        formula={`Open tickets without activity for ${data?.stale_days ?? 14} days, now.`}
        value={data?.stale_total}
        previous={undefined}
        format={count}
        {...(data && { link: staleLink(data) })}
      />
    </Figures>
  )
}

const staleLink = ({ stale_days }: TicketsReport): RecordsLink => ({
  to: '/tickets',
  search: { stale_days },
})

const shownStale = 8

function Stale({ data }: { data: TicketsReport }) {
  const rest = data.stale_total - shownStale
  return (
    <Card title="Stale tickets" description={`Open, and nothing happened for ${data.stale_days} days`}>
      <ul className="space-y-2 text-sm">
        {data.stale.slice(0, shownStale).map((ticket) => (
          <li key={ticket.id} className="flex flex-wrap items-baseline gap-x-3">
            <Link
              to="/tickets/$id"
              params={{ id: ticket.id }}
              className="min-w-0 font-medium [overflow-wrap:anywhere] hover:underline"
            >
              {ticket.title}
            </Link>
            {ticket.priority !== null && <Badge>{ticket.priority}</Badge>}
            <span className="text-xs text-ink-faint">
              last activity <MomentText time={ticket.last_activity_at} />
            </span>
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <Link {...staleLink(data)} className="mt-3 inline-block text-xs text-accent hover:underline">
          and {counted(rest, 'more ticket')}
        </Link>
      )}
    </Card>
  )
}
