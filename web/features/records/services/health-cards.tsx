import { useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Service, HealthRollup } from '#records/contract'
import type { CurrentGroup } from '../../../api/session.ts'
import { ChartCard } from '../../../ui/chart-card.tsx'
import { Figure, Figures } from '../../../ui/figure.tsx'
import { HeartbeatBars, HeartbeatLegend } from '../../../ui/heartbeat-bars.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'
import { Card } from '../../../ui/page.tsx'
import { countText, durationText, uptimeText } from '../../../ui/quantity.ts'
import { Segmented } from '../../../ui/segmented.tsx'
import type { ChartSeries } from '../../../ui/chart-series.ts'
import { dayAndTimeText, minuteText, shortDayText } from '../../../ui/moment.ts'
import { recordQuery } from '../record-queries.ts'
import { beatsOfRollups, stepLengths, uptimeOf } from './beats.ts'

const ranges = {
  '24h': { label: '24 hours', resolution: 'hour', count: 24 },
  '7d': { label: '7 days', resolution: 'hour', count: 168 },
  '30d': { label: '30 days', resolution: 'day', count: 30 },
  '90d': { label: '90 days', resolution: 'day', count: 90 },
} as const

type Range = keyof typeof ranges

/** Uptime, heartbeat and latency of one service. */
export function HealthCards({ group, service }: { group: CurrentGroup; service: Service }) {
  const [range, setRange] = useState<Range>('24h')
  const { resolution, count, label } = ranges[range]
  const since = useMemo(() => {
    const length = stepLengths[resolution]
    return new Date((Math.floor(Date.now() / length) - count + 1) * length).toISOString()
  }, [resolution, count])
  const history = useQuery({
    ...recordQuery(group.id, '/api/services/{id}/history', {
      path: { id: service.id },
      query: { resolution, since, limit: 500 },
    }),
    refetchInterval: 30_000,
  })
  const rollups = useMemo(() => history.data?.data ?? [], [history.data])
  const beats = beatsOfRollups(rollups, resolution, count, Date.now())
  const latency = useMemo(
    () => latencySeries(rollups, resolution, count, Date.now()),
    [rollups, resolution, count],
  )
  const uptime = uptimeOf(rollups)
  const checks = rollups.reduce((sum, { ok_count, failed_count }) => sum + ok_count + failed_count, 0)
  if (history.error) return <FailureNotice error={history.error} onRetry={() => history.refetch()} />
  return (
    <div className="space-y-4">
      <Segmented
        label="Period"
        value={range}
        onChange={setRange}
        choices={(Object.keys(ranges) as Range[]).map((id) => ({ id, label: ranges[id].label }))}
      />
      <Figures label="Health figures">
        <Figure
          name="Uptime"
          value={history.data && (uptime === null ? 'no data' : uptimeText(uptime))}
          note={`last ${label}`}
        />
        <Figure
          name="Last latency"
          value={service.last_latency_ms === null ? 'no data' : durationText(service.last_latency_ms)}
          note={service.last_status_code === null ? '' : `status ${service.last_status_code}`}
        />
        <Figure
          name="Checks"
          value={history.data && countText(checks)}
          note={`every ${service.interval_s} s`}
        />
      </Figures>
      <Card title="Checks" description={`One bar per ${resolution}. Grey: nothing was checked.`}>
        <HeartbeatBars label={`${service.title}, last ${label}`} beats={beats} className="mb-3 h-9" />
        <HeartbeatLegend />
      </Card>
      <ChartCard
        title="Latency"
        description={`Average and slowest response per ${resolution}`}
        label={`Latency per ${resolution}; the table shows the numbers`}
        stepName={resolution === 'hour' ? 'Hour' : 'Day'}
        isPending={history.isPending}
        form="lines"
        height={180}
        steps={latency.steps}
        series={latency.series}
        formatAxis={durationText}
      />
    </div>
  )
}

/** A line has a hole where nothing was measured. */
function latencySeries(
  rollups: readonly HealthRollup[],
  resolution: keyof typeof stepLengths,
  count: number,
  now: number,
): { steps: string[]; series: ChartSeries[] } {
  const length = stepLengths[resolution]
  const found = new Map(rollups.map((rollup) => [Date.parse(rollup.at), rollup]))
  const last = Math.floor(now / length) * length
  const times = Array.from({ length: count }, (_, index) => last - (count - 1 - index) * length)
  const timeText = resolution === 'day' ? shortDayText : count > 24 ? dayAndTimeText : minuteText
  const line = (name: string, colour: string, read: (rollup: HealthRollup) => number | null): ChartSeries => {
    const values = times.map((time) => {
      const rollup = found.get(time)
      return rollup ? read(rollup) : null
    })
    return {
      name,
      colour,
      values,
      texts: values.map((value) => (value === null ? '–' : durationText(value))),
    }
  }
  return {
    steps: times.map((time) => timeText(time)),
    series: [
      line('Average', '--series-1', ({ average_latency_ms }) => average_latency_ms),
      line('Slowest', '--series-2', ({ max_latency_ms }) => max_latency_ms),
    ],
  }
}
