import { useCallback, useMemo } from 'react'
import { clsx } from 'clsx'
import { NotebookPen } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import type { DevlogsReport } from '#analytics/contract'
import { Figures } from '../../ui/figure.tsx'
import { Card } from '../../ui/page.tsx'
import { countText } from '../../ui/quantity.ts'
import { call } from '../../api/client.ts'
import type { AnalyticsAddress } from './analytics-address.ts'
import { ContributionMap } from './contribution-map.tsx'
import { CountsChart } from './counts-chart.tsx'
import { series } from './deployment-series.ts'
import { FirstServices } from './first-services.tsx'
import { HourCard } from './hour-card.tsx'
import { devlogsLink } from './links.ts'
import { Metric } from './metric.tsx'
import { NoRecords } from './no-records.tsx'
import { Section } from './section.tsx'
import { stepsOf } from './steps.ts'
import { count, share } from './units.ts'
import { useChartLinks } from '../../ui/chart-links.tsx'
import { useReport, type Scope } from './use-report.ts'

export function DevlogSection({ scope }: { scope: Scope }) {
  const { data, error, refetch, isPending } = useReport('devlogs', scope, (query) =>
    call('GET', '/api/analytics/devlogs', { query }),
  )
  const chart = useMemo(() => data && devlogChart(data), [data])
  const { address } = scope
  const isEmpty = data !== undefined && data.total + data.previous.total === 0
  const links = useChartLinks(
    useCallback((index, name) => data && stepLink(data, address, index, name), [data, address]),
  )
  return (
    <Section
      title="Devlog activity"
      description="What people and AI wrote down, when, and about which service."
      error={error}
      onRetry={refetch}
    >
      <DevlogFigures data={data} scope={scope} />
      {isEmpty ? (
        <NoRecords
          icon={NotebookPen}
          title="No devlogs in this period"
          hint="People write them on the devlogs page, and agents by the API or MCP."
          to="/devlogs"
          action="Open devlogs"
        />
      ) : (
        <CountsChart
          title="AI and human"
          description={`Devlogs per ${chart?.step ?? 'day'}, by author`}
          label="Devlogs by AI and by people; the table shows the numbers"
          stepName={chart?.step === 'hour' ? 'Hour' : 'Day'}
          isPending={isPending}
          height={180}
          chart={chart}
          {...links}
        />
      )}
      {data && !isEmpty && (
        <div
          className={clsx(
            'grid grid-cols-1 items-start gap-4',
            chart?.step === 'day' && data.per_day.length <= maxBeside && 'lg:grid-cols-2',
          )}
        >
          {chart?.step === 'day' && (
            <Card title="Days" description="Darker days have more devlogs">
              <ContributionMap days={data.per_day} onPick={(index) => links.onPick(index, undefined)} />
            </Card>
          )}
          <Card title="Hours of the week" description="When devlogs are written">
            <HourCard cells={data.heatmap} />
          </Card>
        </div>
      )}
      {data && data.by_service.length > 0 && (
        <Card title="By service" description="Devlogs of people and of AI">
          <FirstServices services={data.by_service}>
            {(rows) => <AuthorShares rows={rows} period={data.period} />}
          </FirstServices>
        </Card>
      )}
    </Section>
  )
}

/** The squares of this many days fit beside another card. */
const maxBeside = 140

const kinds: Record<string, string> = { Human: 'human', AI: 'ai' }

function stepLink(report: DevlogsReport, address: AnalyticsAddress, index: number, name?: string) {
  const span = stepsOf(report).spanAt(index)
  const kind = name === undefined ? undefined : kinds[name]
  return span && devlogsLink(span, address, kind === undefined ? {} : { author_kind: kind })
}

/** The period before has days only. */
function devlogChart(report: DevlogsReport) {
  const { step, texts, counts } = stepsOf(report)
  const before = step === 'hour' ? [] : report.previous.per_day.map(({ human, ai }) => human + ai)
  return {
    step,
    steps: texts,
    series: [
      series(
        'Human',
        '--series-1',
        counts.map(({ human }) => human),
      ),
      series(
        'AI',
        '--series-4',
        counts.map(({ ai }) => ai),
      ),
    ],
    totals: counts.map(({ human, ai }) => countText(human + ai)),
    ghost: before.some(Boolean)
      ? series(
          'Previous period',
          '--ink-faint',
          counts.map((_, index) => before[index] ?? null),
        )
      : undefined,
  }
}

function DevlogFigures({ data, scope }: { data: DevlogsReport | undefined; scope: Scope }) {
  const link = data && devlogsLink(data.period, scope.address)
  const by = (kind: 'human' | 'ai') =>
    link && { link: { ...link, search: { ...link.search, author_kind: kind } } }
  return (
    <Figures label="Devlog figures">
      <Metric
        name="Devlogs"
        formula="Devlogs that were written in the period."
        value={data?.total}
        previous={data?.previous.total}
        format={count}
        {...(link && { link })}
      />
      <Metric
        name="By people"
        formula="Devlogs whose author is a person."
        value={data?.human}
        previous={data?.previous.human}
        format={count}
        {...by('human')}
      />
      <Metric
        name="By AI"
        formula="Devlogs whose author is a program, such as an agent."
        value={data?.ai}
        previous={data?.previous.ai}
        format={count}
        {...by('ai')}
      />
      <Metric
        name="AI share"
        formula="Devlogs by AI, divided by all devlogs."
        value={data?.ai_share}
        previous={data?.previous.ai_share}
        format={share}
        isShare
        {...by('ai')}
      />
    </Figures>
  )
}

interface AuthorSharesProps {
  rows: readonly DevlogsReport['by_service'][number][]
  period: DevlogsReport['period']
}

/** Per service a bar with the part of people and the part of AI. */
function AuthorShares({ rows, period }: AuthorSharesProps) {
  const largest = Math.max(1, ...rows.map(({ total }) => total))
  return (
    <ul className="space-y-2.5 text-sm">
      {rows.map(({ service, human, ai }) => (
        <li key={service ?? ''}>
          <p className="mb-1 flex justify-between gap-4">
            <span className="min-w-0 truncate font-medium">
              {service === null ? (
                'No service'
              ) : (
                <Link {...devlogsLink(period, { service })} className="hover:underline">
                  {service}
                </Link>
              )}
            </span>
            <span className="text-xs whitespace-nowrap text-ink-soft">
              {human} human · {ai} AI
            </span>
          </p>
          <div className="flex h-2 overflow-hidden rounded-full bg-hover" aria-hidden>
            <span style={{ width: `${(human / largest) * 100}%`, background: 'var(--series-1)' }} />
            <span style={{ width: `${(ai / largest) * 100}%`, background: 'var(--series-4)' }} />
          </div>
        </li>
      ))}
    </ul>
  )
}
