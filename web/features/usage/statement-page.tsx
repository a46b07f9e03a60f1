import { useMemo } from 'react'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowLeft, Download, Scale, SquareTerminal } from 'lucide-react'
import type { Statement } from '#links/contract'
import { call } from '../../api/client.ts'
import type { CurrentGroup } from '../../api/session.ts'
import { usageKey } from '../../api/usage-queries.ts'
import { inGroup } from '../../shell/no-group.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ChartCard } from '../../ui/chart-card.tsx'
import { asCsv } from '../../ui/csv.ts'
import { DateRangePicker } from '../../ui/date-range.tsx'
import { dayText, daysText } from '../../ui/days.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Figure, Figures } from '../../ui/figure.tsx'
import { exactDollars, shortDollars } from '../../ui/money.ts'
import { FailureNotice, Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { counted, percentText } from '../../ui/quantity.ts'
import { saveFile } from '../../ui/save-file.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { dollarAxis } from './dollar-axis.ts'
import { PeopleTable, ReasonTable } from './statement-tables.tsx'

const route = getRouteApi('/shell/usage/statement')

export const StatementPage = inGroup(StatementOf)

const statementQuery = (groupId: string, query: { from?: string; to?: string }) =>
  queryOptions({
    queryKey: [...usageKey(groupId), 'statement', query],
    queryFn: () => call('GET', '/api/v1/statement', { query }),
    placeholderData: keepPreviousData,
  })

function StatementOf({ group }: { group: CurrentGroup }) {
  const { data, error, refetch } = useQuery(statementQuery(group.id, route.useSearch()))
  return (
    <Page
      title="Statement"
      description="Compares the spend that the gateway logged with the transcripts of coding assistants, and shows what is missing on either side."
      actions={
        <>
          <Link to="/usage" className={buttonClass()}>
            <ArrowLeft aria-hidden className="size-4" /> Usage
          </Link>
          <Button icon={Download} disabled={!data} onClick={() => data && download(data)}>
            Download CSV
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        <Period data={data} />
        {error && <FailureNotice error={error} onRetry={() => refetch()} />}
        {!data && !error && <Skeleton className="h-80" />}
        {data && (isEmpty(data) ? <NothingYet /> : <Shown data={data} />)}
      </div>
    </Page>
  )
}

const isEmpty = ({ totals }: Statement): boolean =>
  totals.requests === 0 && totals.responses_past_gateway === 0

const presets = [
  { label: 'Last 7 days', days: 7 },
  { label: 'Last 30 days', days: 30 },
  { label: 'Last 365 days', days: 365 },
]

function Period({ data }: { data: Statement | undefined }) {
  const { from, to } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <DateRangePicker
        value={{ start_date: from ?? data?.from, end_date: to ?? data?.to }}
        onChange={({ start_date, end_date }) =>
          void navigate({
            search: { ...(start_date && { from: start_date }), ...(end_date && { to: end_date }) },
            resetScroll: false,
          })
        }
        placeholder="Last 30 days"
        presets={presets}
        className="w-full sm:w-60"
        zone={data?.time_zone ?? 'UTC'}
      />
      {data && <p className="text-xs text-ink-faint">Days are in {data.time_zone}.</p>}
    </div>
  )
}

function Shown({ data }: { data: Statement }) {
  return (
    <>
      {!data.is_complete && (
        <Notice tone="info" title="Still being counted">
          Older usage is added in the background. Reload the page in a minute.
        </Notice>
      )}
      <Totals data={data} />
      <Days data={data} />
      <ReasonTable reasons={data.gateway_only_reasons} />
      <PeopleTable people={data.people} />
    </>
  )
}

function Totals({ data: { totals, gateway_only_reasons: reasons } }: { data: Statement }) {
  const share = (amount: string) =>
    Number(totals.gateway) > 0 && percentText(Number(amount) / Number(totals.gateway))
  const only = Object.values(reasons).reduce((sum, { requests }) => sum + requests, 0)
  const unpriced = totals.unpriced_responses
  return (
    <Figures label="Totals of the statement">
      <Figure
        name="Gateway"
        value={shortDollars(totals.gateway)}
        title={exactDollars(totals.gateway)}
        note={counted(totals.requests, 'request')}
      />
      <Figure
        name="In both"
        value={shortDollars(totals.in_both)}
        title={exactDollars(totals.in_both)}
        note={share(totals.in_both)}
      />
      <Figure
        name="Gateway only"
        value={shortDollars(totals.gateway_only)}
        title={exactDollars(totals.gateway_only)}
        note={share(totals.gateway_only) || counted(only, 'request')}
      />
      <Figure
        name="Outside the gateway"
        value={`≈ ${shortDollars(totals.transcripts_only_estimated)}`}
        title={`${exactDollars(totals.transcripts_only_estimated)} by list prices`}
        note={
          <>
            {counted(totals.responses_past_gateway, 'response')}
            {unpriced > 0 && (
              <>
                {', '}
                <Link to="/usage/prices" className="text-accent underline underline-offset-2">
                  {`${unpriced} without a price`}
                </Link>
              </>
            )}
          </>
        }
      />
    </Figures>
  )
}

const lines = [
  { name: 'In both', colour: '--series-1', of: 'in_both' },
  { name: 'Gateway only', colour: '--series-2', of: 'gateway_only' },
  { name: 'Outside the gateway (estimate)', colour: '--series-rest', of: 'transcripts_only_estimated' },
] as const

function Days({ data: { days, from, to, time_zone: zone } }: { data: Statement }) {
  // The chart is drawn again for every new array.
  const drawn = useMemo(
    () => ({
      steps: days.map(({ date }) => dayText(date)),
      series: lines.map(({ name, colour, of }) => ({
        ...{ name, colour },
        values: days.map((day) => Number(day[of])),
        texts: days.map((day) => exactDollars(day[of])),
      })),
    }),
    [days],
  )
  // A chart of zeros says nothing.
  if (!drawn.series.some(({ values }) => values.some(Boolean))) return null
  return (
    <ChartCard
      {...drawn}
      title="By day"
      description="Dollars per day. Spend outside the gateway is an estimate and not part of the usage log."
      label={`Both sides per day, ${daysText(from, to)}; the table shows the numbers`}
      stepName={`Day (${zone})`}
      form="stack"
      height={240}
      isPending={false}
      formatAxis={dollarAxis}
    />
  )
}

function NothingYet() {
  return (
    <EmptyState
      icon={Scale}
      title="Nothing to compare in this period"
      action={
        <Link to="/transcripts" className={buttonClass('primary')}>
          <SquareTerminal aria-hidden className="size-4" /> Open transcripts
        </Link>
      }
    >
      Requests through the gateway and responses in transcripts appear here side by side. Run signalbox watch
      on each machine, so that its sessions are in the archive.
    </EmptyState>
  )
}

const columns = ['date', 'gateway', 'in_both', 'gateway_only', 'transcripts_only_estimated'].map((name) => ({
  name,
}))

const download = ({ from, to, days }: Statement): void =>
  saveFile(`statement-${from}-${to}.csv`, 'text/csv', asCsv(columns, days))
